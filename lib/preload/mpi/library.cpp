#include "mpi/library.hpp"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <charconv>
#include <new>
#include <string_view>

#include "mpi/late_binding.hpp"
#include "mpi/succession.hpp"

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

// Functions of Open MPI's base library, the same from 1.7 to 5.0.
using FindByName = int (*)(const char* full_name, int* index);
using GetValue = int (*)(int index, const void* value, int* source, const char** file);

/// Where the parameter's value lies, or null.
const void* storage_of(const char* name) {
  static const auto find = reinterpret_cast<FindByName>(find_symbol("mca_base_var_find_by_name"));
  static const auto get = reinterpret_cast<GetValue>(find_symbol("mca_base_var_get_value"));
  if (find == nullptr || get == nullptr) return nullptr;
  int index = -1;
  const void* storage = nullptr;
  if (find(name, &index) != 0 || index < 0) return nullptr;
  if (get(index, static_cast<const void*>(&storage), nullptr, nullptr) != 0) return nullptr;
  return storage;
}

template <class Value>
std::optional<Value> read(const char* name) {
  const void* const storage = storage_of(name);
  if (storage == nullptr) return std::nullopt;
  return *static_cast<const Value*>(storage);
}

}  // namespace

std::optional<int> library_number(const char* name) {
  return read<int>(name);
}

std::optional<bool> library_flag(const char* name) {
  return read<bool>(name);
}

std::optional<std::string> library_text(const char* name) {
  const auto text = read<const char*>(name);
  if (!text) return std::nullopt;
  return std::string(*text == nullptr ? "" : *text);
}

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

/// All that the library says of its version; empty without a library.
std::string version_text() {
  using GetVersion = int (*)(char*, int*);  // the same for all libraries
  const auto get_version = reinterpret_cast<GetVersion>(find_symbol("PMPI_Get_library_version"));
  if (get_version == nullptr) return {};
  std::array<char, longest_version> text{};
  int length = 0;
  return get_version(text.data(), &length) == 0 ? text.data() : "";
}

}  // namespace

const char* library_built_for() {
  return KITH_MPI_LIBRARY;
}

std::string library_found() {
  const std::string version = version_text();
  return version.empty() ? version : short_name(version);
}

Identity library_identity() {
  const std::string version = version_text();
  Identity found;
  found.text = version.substr(0, version.find('\n'));
  constexpr std::string_view open_mpi = "Open MPI v";
  if (version.starts_with(open_mpi)) {
    found.family = Family::open_mpi;
    const char* const end = version.data() + version.size();
    const auto major = std::from_chars(version.data() + open_mpi.size(), end, found.major);
    if (major.ptr != end && *major.ptr == '.') std::from_chars(major.ptr + 1, end, found.minor);
  }
  for (const std::string_view name : {"MPICH", "MVAPICH", "Intel(R) MPI"}) {
    if (version.find(name) != std::string::npos) found.family = Family::mpich;
  }
  return found;
}

Family family_by_handles() {
  if (find_symbol("PMPI_Comm_split") == nullptr) return Family::other;  // no whole library
  Dl_info library{};
  const bool is_standard = dladdr(find_symbol("PMPI_Init"), &library) != 0 &&
                           library.dli_fname != nullptr &&
                           std::string_view(library.dli_fname).find("mpi_abi") != std::string::npos;
  if (is_standard) return Family::standard;
  const bool is_open_mpi = find_symbol("ompi_mpi_comm_world") != nullptr;
  return is_open_mpi ? Family::open_mpi : library_identity().family;
}

std::vector<std::string> loaded_paths() noexcept {
  std::vector<std::string> paths;
  dl_iterate_phdr(note_path, &paths);
  return paths;
}

bool is_of_this_library(const void* address) noexcept {
  if (is_of_front(address)) return true;
  Dl_info its{};
  Dl_info own{};
  return dladdr(address, &its) != 0 &&
         dladdr(reinterpret_cast<const void*>(&note_path), &own) != 0 &&
         its.dli_fbase == own.dli_fbase;
}

}  // namespace kith::mpi
