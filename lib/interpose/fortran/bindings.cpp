#include "interpose/fortran/bindings.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "interpose/fortran/slots.hpp"
#include "interpose/step_aside.hpp"
#include "mpi/late_binding.hpp"

namespace kith::interpose {
namespace {

/// A function that we define and, once looked up, where.
struct Target {
  const char* name;
  void* ours;
};

Target targets[] = {
#define KITH_INTERCEPTED(name) {#name, nullptr},
#include "interpose/intercepted.inc"
#undef KITH_INTERCEPTED
};

// Open MPI's libmpi_mpifh and libmpi_usempi*, MPICH's libmpichfort, elsewhere libmpifort.
constexpr const char* binding_names[] = {"_mpifh", "_usempi", "fort"};

const char* file_name(const dl_phdr_info& library) {
  const char* const path = library.dlpi_name == nullptr ? "" : library.dlpi_name;
  const char* const slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

bool is_binding(const dl_phdr_info& library) {
  const char* const file = file_name(library);
  if (std::strncmp(file, "libmpi", 6) != 0) return false;
  return std::any_of(std::begin(binding_names), std::end(binding_names),
                     [&](const char* part) { return std::strstr(file, part) != nullptr; });
}

// Ours even where a tool in front of us defines the same name: a tool that wants the calls of
// Fortran programs takes them from the program itself.
void look_up_targets() {
  static constinit std::mutex once;
  static constinit bool done = false;
  const std::lock_guard lock(once);
  Dl_info own{};
  if (done) return;
  if (dladdr(reinterpret_cast<const void*>(&redirect_bindings), &own) == 0) return;
  void* const handle = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return;
  for (Target& target : targets) target.ours = dlsym(handle, target.name);
  dlclose(handle);
  done = true;
  std::sort(std::begin(targets), std::end(targets),
            [](const Target& a, const Target& b) { return std::strcmp(a.name, b.name) < 0; });
}

// Our MPI_X for "PMPI_X"; null for all other names.
const Target* target_of(const char* symbol) {
  if (symbol[0] != 'P') return nullptr;
  const Target* const found = std::lower_bound(
      std::begin(targets), std::end(targets), symbol + 1,
      [](const Target& target, const char* name) { return std::strcmp(target.name, name) < 0; });
  if (found == std::end(targets) || std::strcmp(found->name, symbol + 1) != 0) return nullptr;
  return found;
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
    redirect_slots(*library, [](const char* symbol) {
      const Target* const target = target_of(symbol);
      return target == nullptr ? nullptr : target->ours;
    });
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
  reach.all = slots_are_known;
  SlotTable(library).for_each([&](Slot slot) {
    const Target* const target = target_of(slot.symbol);
    if (target != nullptr && (target->ours == nullptr || *slot.place != target->ours)) {
      reach.all = false;
    }
    const bool redirected = std::strcmp(slot.symbol, "PMPI_Send") == 0;
    if (redirected || std::strcmp(slot.symbol, "MPI_Send") == 0) reach.sends = true;
  });
  return reach;
}

bool contains(const dl_phdr_info& library, const void* address) {
  const auto offset = reinterpret_cast<ElfW(Addr)>(address) - library.dlpi_addr;
  return std::any_of(library.dlpi_phdr, library.dlpi_phdr + library.dlpi_phnum,
                     [&](const ElfW(Phdr) & segment) {
                       return segment.p_type == PT_LOAD && offset >= segment.p_vaddr &&
                              offset < segment.p_vaddr + segment.p_memsz;
                     });
}

/// The search for a library whose calls go past us.
struct Search {
  const void* send;  // what programs call as mpi_send_, if anything
  std::string leak;  // the library's name, once found
};

int find_leak(dl_phdr_info* library, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  const bool called = contains(*library, search.send);
  if (!called && !is_binding(*library)) return 0;
  const Reach reach = reach_of(*library);
  if (reach.all && (reach.sends || !called)) return 0;
  search.leak = file_name(*library);
  return 1;
}

}  // namespace

void redirect_bindings() noexcept {
  if (mpi::foreign_library.load(std::memory_order_relaxed)) return;
  Loaded loaded;
  dl_iterate_phdr(look_at, &loaded);
  if (loaded.additions == additions_seen.load(std::memory_order_acquire)) return;
  if (loaded.binding) {
    look_up_targets();
    dl_iterate_phdr(redirect, nullptr);
  }
  additions_seen.store(loaded.additions, std::memory_order_release);
}

std::string bindings_obstacle() {
  redirect_bindings();
  look_up_targets();
  Search search{dlsym(RTLD_DEFAULT, "mpi_send_"), {}};
  dl_iterate_phdr(find_leak, &search);
  if (search.leak.empty()) return {};
  return "calls from Fortran through " + search.leak + " go past Kith";
}

namespace {

// Libraries that the program itself links are loaded by now, whether bound lazily or not.
__attribute__((constructor)) void redirect_linked_bindings() {
  // A look at the global scope alone: most programs that load us know no MPI.
  if (dlsym(RTLD_DEFAULT, "PMPI_Init") != nullptr) step_aside_if_foreign();
  redirect_bindings();
}

}  // namespace
}  // namespace kith::interpose
