#include "mpi/library_name.hpp"

#include <array>
#include <string_view>

#include "mpi/late_binding.hpp"

namespace kith::mpi {
namespace {

// The longest MPI_MAX_LIBRARY_VERSION_STRING there is, MPICH's, as the library may not be ours.
constexpr std::size_t longest_version = 8192;

// "MPICH Version:\t4.0.2\nMPICH Release date: ...", "Open MPI v4.1.4, package: ..."
std::string short_name(std::string_view version) {
  version = version.substr(0, version.find_first_of(",\n"));
  std::string name(version);
  constexpr std::string_view label = " Version:";
  if (const auto at = name.find(label); at != std::string::npos) name.erase(at, label.size());
  for (char& c : name) {
    if (c == '\t') c = ' ';
  }
  name.erase(name.find_last_not_of(' ') + 1);
  return name;
}

}  // namespace

const char* library_built_for() {
  return KITH_MPI_LIBRARY;
}

std::string library_found() {
  using GetVersion = int (*)(char*, int*);  // the same for all libraries
  const auto get_version = reinterpret_cast<GetVersion>(find_symbol("PMPI_Get_library_version"));
  if (get_version == nullptr) return {};
  std::array<char, longest_version> text{};
  int length = 0;
  if (get_version(text.data(), &length) != 0) return {};
  return short_name(text.data());
}

}  // namespace kith::mpi
