#include "interpose/fortran/forward.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <string_view>

#include "interpose/bypass_report.hpp"
#include "mpi/late_binding.hpp"
#include "mpi/slots.hpp"

namespace kith::interpose {
namespace {

// Where each of them is. Threads that look them up at the same time write the same.
constinit std::atomic<void*> ours[intercepted_count];

// Open MPI's libmpi_mpifh and libmpi_usempi*, MPICH's libmpichfort, elsewhere libmpifort.
constexpr const char* binding_names[] = {"_mpifh", "_usempi", "fort"};

const char* file_name(const dl_phdr_info& library) {
  const char* const path = library.dlpi_name == nullptr ? "" : library.dlpi_name;
  const char* const slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

// Ours even where a tool in front of us defines the same name: a tool that wants the calls of
// Fortran programs takes them from the program itself. No lock: a thread that opens a library may
// come here, and dlopen would wait for it.
void look_up_ours() {
  static constinit std::atomic<bool> done{false};
  Dl_info own{};
  if (done.load(std::memory_order_acquire)) return;
  if (dladdr(reinterpret_cast<const void*>(&redirect_bindings), &own) == 0) return;
  void* const handle = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return;
  for (std::size_t i = 0; i < std::size(ours); ++i) {
    ours[i].store(dlsym(handle, intercepted[i].data()), std::memory_order_relaxed);
  }
  dlclose(handle);
  done.store(true, std::memory_order_release);
}

/// What we know of a symbol that a library imports.
struct Target {
  bool is_intercepted = false;  ///< it is PMPI_X, and we define MPI_X
  void* ours = nullptr;         ///< our MPI_X, once looked up
};

Target target_of(std::string_view symbol) {
  if (!symbol.starts_with('P')) return {};
  symbol.remove_prefix(1);
  const std::size_t number = intercepted_number(symbol);
  if (number == intercepted_count) return {};
  return {true, ours[number].load(std::memory_order_relaxed)};
}

/// What has been loaded, in brief.
struct Loaded {
  unsigned long long additions = 0;
  bool binding = false;
};

std::atomic<unsigned long long> additions_seen{0};

// Looks at all libraries only if one was added since additions_seen.
int look_at(dl_phdr_info* library, std::size_t, void* data) {
  Loaded& loaded = *static_cast<Loaded*>(data);
  loaded.additions = library->dlpi_adds;
  if (loaded.additions == additions_seen.load(std::memory_order_acquire)) return 1;
  loaded.binding = loaded.binding || is_binding(*library);
  return 0;
}

// No call of dlopen or dlsym in here: the list of libraries is locked.
int redirect(dl_phdr_info* library, std::size_t, void*) {
  if (is_binding(*library)) {
    mpi::redirect_slots(*library,
                        [](const mpi::Slot& slot) { return target_of(slot.symbol).ours; });
  }
  return 0;
}

/// Where the calls of one library go.
struct Reach {
  bool sends = false;  // its sends reach us
  bool all = true;     // and no call goes past us
};

Reach reach_of(const dl_phdr_info& library) {
  Reach reach;
  reach.all = mpi::slots_are_known;
  mpi::SlotTable(library).for_each([&](mpi::Slot slot) {
    const Target target = target_of(slot.symbol);
    if (target.is_intercepted && (target.ours == nullptr || *slot.place != target.ours)) {
      reach.all = false;
    }
    const bool redirected = std::strcmp(slot.symbol, "PMPI_Send") == 0;
    if (redirected || std::strcmp(slot.symbol, "MPI_Send") == 0) reach.sends = true;
  });
  return reach;
}

/// The search for a library whose calls go past us.
struct Search {
  const void* send;  // what programs call as mpi_send_, if anything
  std::string leak;  // the library's name, once found
};

int find_leak(dl_phdr_info* library, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  const bool called = mpi::contains(*library, search.send);
  if (!called && !is_binding(*library)) return 0;
  const Reach reach = reach_of(*library);
  if (reach.all && (reach.sends || !called)) return 0;
  search.leak = file_name(*library);
  return 1;
}

}  // namespace

bool is_binding(const dl_phdr_info& library) {
  const char* const file = file_name(library);
  if (std::strncmp(file, "libmpi", 6) != 0) return false;
  return std::any_of(std::begin(binding_names), std::end(binding_names),
                     [&](const char* part) { return std::strstr(file, part) != nullptr; });
}

void redirect_bindings() noexcept {
  if (mpi::other_library.load(std::memory_order_relaxed)) return;
  Loaded loaded;
  dl_iterate_phdr(look_at, &loaded);
  if (loaded.additions == additions_seen.load(std::memory_order_acquire)) return;
  if (loaded.binding) {
    look_up_ours();
    dl_iterate_phdr(redirect, nullptr);
  }
  additions_seen.store(loaded.additions, std::memory_order_release);
}

std::string bindings_obstacle() {
  redirect_bindings();
  look_up_ours();
  Search search{dlsym(RTLD_DEFAULT, "mpi_send_"), {}};
  dl_iterate_phdr(find_leak, &search);
  if (search.leak.empty()) return {};
  return "calls from Fortran through " + search.leak + " go past Kith";
}

namespace {

// Libraries that the program itself links are loaded by now, whether bound lazily or not.
__attribute__((constructor)) void redirect_linked_bindings() {
  redirect_bindings();
}

}  // namespace
}  // namespace kith::interpose
