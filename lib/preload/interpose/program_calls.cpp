#include "interpose/program_calls.hpp"

#include <dlfcn.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "comm/catching.hpp"
#include "interpose/fortran/bindings.hpp"
#include "interpose/mpi_parts.hpp"
#include "mpi/slots.hpp"

namespace kith::interpose {
namespace {

using runtime::ProgramCalls;

/// Without the endings that Fortran compilers and mpi_f08 give a name.
std::string_view bare_name(std::string_view name) {
  while (name.ends_with('_')) name.remove_suffix(1);
  if (name.ends_with("_f08")) name.remove_suffix(4);
  return name;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> known) {
  return std::ranges::any_of(known, [&](std::string_view one) {
    return one.size() == name.size() && strncasecmp(one.data(), name.data(), name.size()) == 0;
  });
}

void note_symbol(const char* symbol, ProgramCalls& calls) {
  if (std::strncmp(symbol, "kith_", 5) == 0) calls.kith = true;
  if (strncasecmp(symbol, "mpi_", 4) != 0) return;
  const std::string_view name = bare_name(symbol);
  if (is_one_of(name, {"MPI_Cart_map", "MPI_Graph_map"})) calls.maps = true;
  if (is_one_of(name, {"MPI_Cart_create", "MPI_Graph_create", "MPI_Dist_graph_create",
                       "MPI_Dist_graph_create_adjacent"})) {
    calls.topologies = true;
  }
}

struct Search {
  const MpiParts& parts;
  const void* ours;  // where libkith.so begins
  ProgramCalls calls;
};

// No call of dlopen or dlsym in here: the list of libraries is locked.
int look_at(dl_phdr_info* library, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  const bool is_ours = reinterpret_cast<const void*>(library->dlpi_addr) == search.ours;
  if (is_ours || search.parts.contain(*library) || is_binding(*library)) return 0;
  mpi::SlotTable(*library).for_each([&](mpi::Slot slot) { note_symbol(slot.symbol, search.calls); });
  return 0;
}

}  // namespace

ProgramCalls find_program_calls() noexcept {
  ProgramCalls calls;
  runtime::done_without_exception([&] {
    Dl_info own{};
    dladdr(reinterpret_cast<const void*>(&find_program_calls), &own);
    const MpiParts parts;
    Search search{parts, own.dli_fbase, {}};
    dl_iterate_phdr(look_at, &search);
    calls = search.calls;
    calls.python = dlsym(RTLD_DEFAULT, "Py_IsInitialized") != nullptr;
  });
  return calls;
}

}  // namespace kith::interpose
