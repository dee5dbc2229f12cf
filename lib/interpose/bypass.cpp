#include "interpose/bypass.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

namespace kith::interpose {
namespace {

constexpr const char* intercepted[] = {
#define KITH_INTERCEPTED(name) #name,
#include "interpose/intercepted.inc"
#undef KITH_INTERCEPTED
};

// The Fortran bindings call PMPI directly.
int find_fortran(dl_phdr_info* info, std::size_t, void* found) {
  if (info->dlpi_name == nullptr || std::strstr(info->dlpi_name, "libmpi_mpifh") == nullptr)
    return 0;
  *static_cast<bool*>(found) = true;
  return 1;
}

// A tool in front of us, or the application's own definition.
const char* first_defined_elsewhere() {
  Dl_info ours{};
  if (dladdr(reinterpret_cast<const void*>(&bypass_reason), &ours) == 0) return nullptr;
  for (const char* const name : intercepted) {
    const void* const first = dlsym(RTLD_DEFAULT, name);
    Dl_info its{};
    if (first == nullptr || dladdr(first, &its) == 0) continue;
    if (its.dli_fbase != ours.dli_fbase) return name;
  }
  return nullptr;
}

}  // namespace

std::string bypass_reason() {
  if (const char* const name = first_defined_elsewhere()) {
    return std::string("another tool stands in front of Kith for ") + name;
  }
  bool fortran = false;
  dl_iterate_phdr(find_fortran, &fortran);
  return fortran ? "the program uses MPI from Fortran, which this version does not reorder" : "";
}

}  // namespace kith::interpose
