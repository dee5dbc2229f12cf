// A run that went past Kith: said at its end, as nothing of ours was called before.

#include "interpose/bypass_report.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/launcher.hpp"
#include "core/log.hpp"
#include "interpose/fortran/forward.hpp"
#include "mpi/late_binding.hpp"
#include "mpi/library.hpp"
#include "mpi/slots.hpp"
#include "mpi/succession.hpp"

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
  Search search{MpiParts::now(), {}};
  dl_iterate_phdr(note_caller, &search);
  for (const Caller& caller : search.callers) {
    if (!is_tool(caller)) return name_of(caller) + " calls P" + caller.function + " past Kith";
  }
  return {};
}

namespace {

// A tool in front of us, or the application's own definition.
const char* first_defined_elsewhere() {
  for (const std::string_view name : intercepted) {
    const void* const first = dlsym(RTLD_DEFAULT, name.data());
    if (first == nullptr || is_in_this_library(first)) continue;
    // What the libkith.so in front of us lacks is looked up in the MPI library, past everybody.
    if (mpi::front() == nullptr || first != mpi::next_in_scope(name.data())) return name.data();
  }
  return nullptr;
}

}  // namespace

std::string bypass_reason() {
  if (const char* const name = first_defined_elsewhere()) {
    return std::string("another tool stands in front of Kith for ") + name;
  }
  std::string reason = bindings_obstacle();
  if (reason.empty()) reason = direct_call();
  if (reason.empty()) reason = private_call();
  if (reason.empty()) reason = session_obstacle();
  return reason;
}

namespace {

constinit bool init_seen = false;
constinit pid_t loaded_in = 0;

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// By the launchers' variables: our communicators do not exist.
bool is_first_rank() {
  const char* const rank = launched_rank();
  return rank == nullptr || std::strcmp(rank, "0") == 0;
}

std::string other_library_obstacle() {
  std::string reason = "this libkith.so was built for ";
  reason.append(mpi::library_built_for()).append(", the program runs under ");
  const std::string found = mpi::library_found();
  reason.append(found.empty() ? "another MPI library" : found);
  return reason;
}

/// Behind other_library_obstacle().
std::string what_helps() {
  if (const char* const problem = mpi::successor_problem.load()) {
    return std::string("; what was built for it cannot be used: ") + problem;
  }
  switch (mpi::family_by_handles()) {
    case mpi::Family::other:
      return ", of a kind that Kith does not know";
    case mpi::Family::standard:
      return " through the standard's interface (libmpi_abi), which Kith is not built for";
    default:
      break;
  }
  return " (Kith can be built for it as well: cmake -DKITH_OTHER_MPI=AUTO)";
}

// MPI itself is not asked: its library may have been taken down before us. Open MPI shows how far
// it got; elsewhere one of our wrappers must have been called.
bool used_mpi() {
  const auto* const state = static_cast<const std::int32_t*>(mpi::find_symbol("ompi_mpi_state"));
  return state != nullptr ? *state != 0 : mpi::some_call_came_by();
}

__attribute__((constructor)) void remember_process() {
  loaded_in = getpid();
}

// In a program that never came near MPI this is a few look-ups in the environment.
__attribute__((destructor)) void say_what_went_past() {
  const bool is_other = mpi::other_library.load(std::memory_order_relaxed);
  if (mpi::successor.load(std::memory_order_acquire) != nullptr) return;  // that says it
  if (init_seen || getpid() != loaded_in) return;
  if (!is_set("KITH_TRACE") && !is_set("KITH_REORDER")) return;
  if (!is_first_rank()) return;
  if (session_opened()) {
    log_line("nothing was recorded or reordered: the program opens MPI sessions and has no world");
    return;
  }
  if (!is_other && !used_mpi()) return;
  std::string reason = is_other ? other_library_obstacle() : bindings_obstacle();
  if (reason.empty()) {
    reason =
        "the program's calls of MPI did not come by here (a tool in front of Kith that passes "
        "them on to PMPI, or bindings that call it)";
  }
  log_line("nothing was recorded or reordered: " + reason);
}

}  // namespace

void note_init() {
  const bool is_first_call = !std::exchange(init_seen, true);
  if (!is_first_call || !mpi::other_library.load(std::memory_order_relaxed)) return;
  if (mpi::successor.load(std::memory_order_acquire) != nullptr) return;
  if (is_first_rank()) {
    log_line("off for this run: " + other_library_obstacle() + what_helps());
  }
}

}  // namespace kith::interpose
