#include "interpose/fortran/forward.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace kith::interpose {
namespace {

int note_path(dl_phdr_info* library, std::size_t, void* paths) {
  if (library->dlpi_name != nullptr && library->dlpi_name[0] != '\0') {
    static_cast<std::vector<std::string>*>(paths)->emplace_back(library->dlpi_name);
  }
  return 0;
}

bool is_ours(const void* function) {
  Dl_info its{};
  Dl_info own{};
  return dladdr(function, &its) != 0 &&
         dladdr(reinterpret_cast<const void*>(&note_path), &own) != 0 &&
         its.dli_fbase == own.dli_fbase;
}

void* defined_privately(const char* name) {
  std::vector<std::string> paths;  // libraries are opened when the list is no longer locked
  dl_iterate_phdr(note_path, &paths);
  for (const std::string& path : paths) {
    void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    void* const function = dlsym(library, name);
    if (function != nullptr && !is_ours(function)) return function;
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
