#include "interpose/bypass.hpp"

#include <dlfcn.h>

namespace kith::interpose {
namespace {

constexpr const char* intercepted[] = {
#define KITH_INTERCEPTED(name) #name,
#include "interpose/intercepted.inc"
#undef KITH_INTERCEPTED
};

}  // namespace

const char* first_bypassed() {
  Dl_info ours{};
  if (dladdr(reinterpret_cast<const void*>(&first_bypassed), &ours) == 0) return nullptr;
  for (const char* const name : intercepted) {
    const void* const first = dlsym(RTLD_DEFAULT, name);
    Dl_info its{};
    if (first == nullptr || dladdr(first, &its) == 0) continue;
    if (its.dli_fbase != ours.dli_fbase) return name;
  }
  return nullptr;
}

}  // namespace kith::interpose
