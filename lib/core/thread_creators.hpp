// Whose threads are the program's own: told by the library that calls pthread_create().
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace kith {

/// Of a path or a file name.
constexpr std::string_view file_name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// Whether the library is one of MPI, of its networks or of devices: its threads are not the
/// program's, and go where they find room. `path`: as the dynamic linker names it; empty: the
/// program itself.
constexpr bool is_of_communication(std::string_view path) {
  constexpr std::array<std::string_view, 25> beginnings{
      "libmpi",   "liboshmem", "libopen-rte", "libopen-pal", "libprrte", "libpmix",    "libevent",
      "libhwloc", "libucp",    "libucs",      "libuct",      "libucm",   "libfabric",  "libpsm",
      "libibver", "librdmacm", "libmlx",      "mca_",        "libmpich", "libmpifort", "libpals",
      "libsci_",  "libcuda",   "libnccl",     "libslurm"};
  const std::string_view name = file_name_of(path);
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

/// Whether it is an OpenMP library: GCC's, LLVM's or Intel's.
constexpr bool is_open_mp(std::string_view path) {
  const std::string_view name = file_name_of(path);
  return name.starts_with("libgomp") || name.starts_with("libomp") || name.starts_with("libiomp");
}

}  // namespace kith
