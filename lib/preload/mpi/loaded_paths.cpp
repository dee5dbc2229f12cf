#include "mpi/loaded_paths.hpp"

#include <dlfcn.h>
#include <link.h>

#include <new>

namespace kith::mpi {
namespace {

int note_path(dl_phdr_info* library, std::size_t, void* paths) {
  if (library->dlpi_name == nullptr || library->dlpi_name[0] == '\0') return 0;
  try {
    static_cast<std::vector<std::string>*>(paths)->emplace_back(library->dlpi_name);
  } catch (const std::bad_alloc&) {
    return 1;
  }
  return 0;
}

}  // namespace

std::vector<std::string> loaded_paths() noexcept {
  std::vector<std::string> paths;
  dl_iterate_phdr(note_path, &paths);
  return paths;
}

bool is_of_this_library(const void* address) noexcept {
  Dl_info its{};
  Dl_info own{};
  return dladdr(address, &its) != 0 &&
         dladdr(reinterpret_cast<const void*>(&note_path), &own) != 0 &&
         its.dli_fbase == own.dli_fbase;
}

}  // namespace kith::mpi
