#include "interpose/bypass.hpp"

#include <dlfcn.h>

#include "interpose/direct_calls.hpp"
#include "interpose/fortran/bindings.hpp"
#include "interpose/intercepted.hpp"
#include "interpose/private_calls.hpp"
#include "interpose/sessions.hpp"

namespace kith::interpose {
namespace {

// A tool in front of us, or the application's own definition.
const char* first_defined_elsewhere() {
  Dl_info ours{};
  if (dladdr(reinterpret_cast<const void*>(&bypass_reason), &ours) == 0) return nullptr;
  for (const std::string_view name : intercepted) {
    const void* const first = dlsym(RTLD_DEFAULT, name.data());
    Dl_info its{};
    if (first == nullptr || dladdr(first, &its) == 0) continue;
    if (its.dli_fbase != ours.dli_fbase) return name.data();
  }
  return nullptr;
}

}  // namespace

std::string bypass_reason() {
  if (const char* const name = first_defined_elsewhere()) {
    return std::string("another tool stands in front of Kith for ") + name;
  }
  std::string reason = bindings_obstacle();
  if (reason.empty()) reason = direct_call();
  if (reason.empty()) reason = private_call();
  if (reason.empty()) reason = session_obstacle();
  return reason;
}

}  // namespace kith::interpose
