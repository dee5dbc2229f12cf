// An MPI library of another kind than the one that this file was built for.

#include "interpose/bypass_report.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string_view>
#include <vector>

#include "binding/thread_binding.hpp"
#include "comm/catching.hpp"
#include "mpi/late_binding.hpp"
#include "mpi/slots.hpp"
#include "mpi/succession.hpp"

namespace kith::interpose {
namespace {

/// A function that libkith.so shows, and what stands for it from now on; or one that only the
/// successor has.
struct Shown {
  const char* name = nullptr;
  ElfW(Sym) * symbol = nullptr;  ///< by which the dynamic linker finds ours; null: we have none
  void* instead = nullptr;       ///< where calls go that were bound to it; null: they stay
  void* found = nullptr;         ///< what look-ups find under the name; null: not this one
  void* theirs = nullptr;        ///< without `symbol`: the MPI library's
};

struct Change {
  std::vector<Shown> functions;  ///< by name
  void* library = nullptr;       ///< that takes over; null: none does
  ElfW(Addr) base = 0;           ///< of this library
};

constinit const Change* the_change = nullptr;  // lives as long as the process

bool still_comes_by(std::string_view name) {
  return name == "MPI_Init" || name == "MPI_Init_thread";
}

/// The functions that the library at `base` shows.
struct Listing {
  ElfW(Addr) base;
  std::vector<Shown> functions;
};

// No call of dlopen or dlsym in here: the list of libraries is locked.
int list_symbols(dl_phdr_info* library, std::size_t, void* data) {
  auto& listing = *static_cast<Listing*>(data);
  if (library->dlpi_addr != listing.base) return 0;
  mpi::SymbolTable(*library).for_each_defined([&](const char* name, ElfW(Sym) & symbol) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) listing.functions.push_back({name, &symbol});
  });
  return 1;
}

/// Sorted by name.
std::vector<Shown> functions_of(const void* address) {
  Dl_info its{};
  if (dladdr(address, &its) == 0) return {};
  Listing listing{reinterpret_cast<ElfW(Addr)>(its.dli_fbase), {}};
  dl_iterate_phdr(list_symbols, &listing);
  std::ranges::sort(listing.functions,
                    [](const Shown& a, const Shown& b) { return std::strcmp(a.name, b.name) < 0; });
  return std::move(listing.functions);
}

/// Where it would be in a sorted list.
std::vector<Shown>::const_iterator place_of(const char* name, const std::vector<Shown>& functions) {
  return std::ranges::lower_bound(
      functions, name, [](const char* a, const char* b) { return std::strcmp(a, b) < 0; },
      &Shown::name);
}

const Shown* find_function(const char* name, const std::vector<Shown>& functions) {
  const auto found = place_of(name, functions);
  const bool is_there = found != functions.end() && std::strcmp(found->name, name) == 0;
  return is_there ? &*found : nullptr;
}

void note_problem(const char* problem) {
  mpi::successor_problem.store(strdup(problem));
}

/// The library beside this one that was made for the MPI library of the process, ready to take
/// over.
void* open_successor() {
  if (mpi::front() != nullptr) return nullptr;  // this is one
  const std::string path = mpi::successor_path();
  if (path.empty() || (access(path.c_str(), F_OK) != 0 && errno == ENOENT)) return nullptr;
  preload::retire_binding();  // the other library finds the threads as they were
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    note_problem(dlerror());
    return nullptr;
  }
  const mpi::Front front{mpi::succession_version(), &__ehdr_start, &_end, mpi::next_in_scope};
  if (mpi::present_to(library, front)) return library;
  note_problem((path + " is not of this version, or for other MPI libraries").c_str());
  return nullptr;
}

void* definition_behind(const char* name) {
  void* const next = mpi::next_in_scope(name);
  return next != nullptr ? next : mpi::find_symbol(name);
}

/// What MPI libraries of the other kind have and ours do not: calls are bound to the MPI library by
/// now. Not where a tool stands in front of it.
void add_functions_of_successor(Change& change, const void* take_over) {
  std::vector<Shown> added;
  for (const Shown& function : functions_of(take_over)) {
    if (std::strncmp(function.name, "MPI", 3) != 0) continue;
    if (find_function(function.name, change.functions) != nullptr) continue;
    void* const theirs = definition_behind(function.name);
    if (theirs == nullptr || dlsym(RTLD_DEFAULT, function.name) != theirs) continue;
    added.push_back(
        {function.name, nullptr, dlsym(change.library, function.name), nullptr, theirs});
  }
  change.functions.insert(change.functions.end(), added.begin(), added.end());
}

/// Lists what this library shows, and what takes its place: functions of the successor; without a
/// successor, functions of the MPI library.
void plan(Change& change) {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&step_aside_for_other_mpi), &own) == 0) return;
  change.base = reinterpret_cast<ElfW(Addr)>(own.dli_fbase);
  change.library = open_successor();
  change.functions = functions_of(reinterpret_cast<const void*>(&step_aside_for_other_mpi));
  for (Shown& function : change.functions) {
    if (change.library != nullptr) {
      function.found = dlsym(change.library, function.name);
      function.instead = function.found;
      if (function.instead == nullptr) function.instead = definition_behind(function.name);
    } else if (intercepted_number(function.name) < intercepted_count) {
      if (!still_comes_by(function.name)) function.instead = definition_behind(function.name);
    }
  }
  // The others stay as they are: Fortran's names pass on by themselves, kith.h works without MPI.
  std::erase_if(change.functions, [&](const Shown& function) {
    return change.library == nullptr && function.instead == nullptr;
  });
  if (change.library == nullptr) return;
  add_functions_of_successor(change, dlsym(change.library, "kith_take_over"));
  std::ranges::sort(change.functions,
                    [](const Shown& a, const Shown& b) { return std::strcmp(a.name, b.name) < 0; });
}

/// Where the slot of `library` leads from now on; null: it stays. A tool in front of us keeps the
/// calls that it has.
void* changed_slot(const mpi::Slot& slot, const dl_phdr_info& library) {
  const Shown* const function = find_function(slot.symbol, the_change->functions);
  if (function == nullptr || the_change->library == nullptr)
    return function == nullptr ? nullptr : function->instead;
  const void* const bound_to = *slot.place;
  if (function->symbol != nullptr)
    return is_in_this_library(bound_to) ? function->instead : nullptr;
  const bool is_not_bound_yet = mpi::contains(library, bound_to);
  return bound_to == function->theirs || is_not_bound_yet ? function->instead : nullptr;
}

// No call of dlopen or dlsym in here: the list of libraries is locked.
int change_slots(dl_phdr_info* library, std::size_t, void*) {
  mpi::redirect_slots(*library,
                      [&](const mpi::Slot& slot) { return changed_slot(slot, *library); });
  return 0;
}

/// To the dynamic linker a symbol's value is an offset from its library's beginning, and nothing
/// says that it lies within; a symbol without a value is no definition: look-ups go on to the next.
void change_symbols(const Change& change) {
  std::uintptr_t begin = UINTPTR_MAX;
  std::uintptr_t end = 0;
  for (const Shown& function : change.functions) {
    if (function.symbol == nullptr) continue;
    begin = std::min(begin, reinterpret_cast<std::uintptr_t>(function.symbol));
    end = std::max(end, reinterpret_cast<std::uintptr_t>(function.symbol + 1));
  }
  if (end == 0) return;
  begin &= ~(static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)) - 1);
  if (mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE) != 0) return;
  for (const Shown& function : change.functions) {
    if (function.symbol == nullptr) continue;
    function.symbol->st_value =
        function.found == nullptr ? 0 : reinterpret_cast<ElfW(Addr)>(function.found) - change.base;
  }
  mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ);
}

}  // namespace

void step_aside_for_other_mpi() noexcept {
  static constinit std::atomic<bool> done{false};
  static constinit std::mutex once;
  if (done.load(std::memory_order_acquire) || !mpi::notice_other_library()) return;
  preload::done_without_exception([] {
    // Not under the lock: a thread that opens a library may wait for it while dlsym waits for that.
    auto* const change = new Change;
    plan(*change);
    if (change->library != nullptr) mpi::successor.store(change->library);
    const std::scoped_lock lock(once);
    if (done.load(std::memory_order_relaxed)) return;
    the_change = change;
    change_symbols(*change);
    dl_iterate_phdr(change_slots, nullptr);
    done.store(true, std::memory_order_release);
  });
}

namespace {

// Before all other constructors of this library: they leave it to a successor. A look at the global
// scope alone: most programs that load us know no MPI.
__attribute__((constructor(101))) void look_at_mpi() {
  if (dlsym(RTLD_DEFAULT, "PMPI_Init") != nullptr) step_aside_for_other_mpi();
}

}  // namespace
}  // namespace kith::interpose
