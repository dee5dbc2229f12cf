#include "interpose/direct_calls.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "interpose/fortran/bindings.hpp"
#include "interpose/intercepted.hpp"
#include "interpose/mpi_parts.hpp"
#include "mpi/slots.hpp"

namespace kith::interpose {
namespace {

struct Caller {
  std::string path;      // empty: the program
  const char* function;  // MPI_X, called as PMPI_X
  ElfW(Addr) base;
};

const char* file_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return path.c_str() + (slash == std::string::npos ? 0 : slash + 1);
}

// MPI_X of an intercepted function that is called as PMPI_X; else null.
const char* intercepted_name(const char* symbol) {
  if (std::strncmp(symbol, "PMPI", 4) != 0) return nullptr;
  const std::size_t number = intercepted_number(symbol + 1);
  return number < intercepted_count ? intercepted[number].data() : nullptr;
}

struct Search {
  const MpiParts& parts;
  std::vector<Caller> callers;
};

// No call of dlopen or dlsym in here: the list of libraries is locked.
int note_caller(dl_phdr_info* library, std::size_t, void* data) {
  auto& [parts, callers] = *static_cast<Search*>(data);
  if (parts.contain(*library) || is_binding(*library)) return 0;
  const std::string path = library->dlpi_name == nullptr ? "" : library->dlpi_name;
  const char* called = nullptr;
  mpi::SlotTable(*library).for_each([&](mpi::Slot slot) {
    if (called == nullptr) called = intercepted_name(slot.symbol);
  });
  if (called != nullptr) callers.push_back({path, called, library->dlpi_addr});
  return 0;
}

bool is_tool(const Caller& caller) {
  void* const handle =
      dlopen(caller.path.empty() ? nullptr : caller.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  const bool defines =
      std::any_of(std::begin(intercepted), std::end(intercepted), [&](std::string_view name) {
        const void* const function = dlsym(handle, name.data());
        Dl_info its{};
        link_map* map = nullptr;
        return function != nullptr &&
               dladdr1(function, &its, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 &&
               map != nullptr && map->l_addr == caller.base;
      });
  dlclose(handle);
  return defines;
}

std::string name_of(const Caller& caller) {
  if (!caller.path.empty()) return file_name(caller.path);
  return program_invocation_short_name;
}

}  // namespace

std::string direct_call() {
  const MpiParts parts;
  Search search{parts, {}};
  dl_iterate_phdr(note_caller, &search);
  for (const Caller& caller : search.callers) {
    if (!is_tool(caller)) return name_of(caller) + " calls P" + caller.function + " past Kith";
  }
  return {};
}

}  // namespace kith::interpose
