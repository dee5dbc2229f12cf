#include "mpi/library_setting.hpp"

#include "mpi/late_binding.hpp"

namespace kith::mpi {
namespace {

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

}  // namespace kith::mpi
