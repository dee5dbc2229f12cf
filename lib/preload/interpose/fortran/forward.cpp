#include "interpose/fortran/forward.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "mpi/library.hpp"

namespace kith::interpose {
namespace {

void* defined_privately(const char* name) {
  for (const std::string& path : mpi::loaded_paths()) {
    void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    void* const function = dlsym(library, name);
    if (function != nullptr && !mpi::is_of_this_library(function)) return function;
    dlclose(library);
  }
  return nullptr;
}

}  // namespace

NextFortran::Function NextFortran::look_up() const noexcept {
  void* next = dlsym(RTLD_NEXT, name_);
  if (next == nullptr) next = defined_privately(name_);
  if (next == nullptr) {
    std::fprintf(stderr, "kith: the program calls %s, which no library defines\n", name_);
    std::abort();
  }
  return reinterpret_cast<Function>(next);
}

}  // namespace kith::interpose
