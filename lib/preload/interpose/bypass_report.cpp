// A run that went past Kith: said at its end, as nothing of ours was called before.
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "core/log.hpp"
#include "interpose/bypass_report.hpp"
#include "interpose/fortran/bindings.hpp"
#include "interpose/sessions.hpp"
#include "mpi/late_binding.hpp"
#include "mpi/library_name.hpp"

namespace kith::interpose {
namespace {

constinit bool init_seen = false;
constinit pid_t loaded_in = 0;

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// By the launchers' variables: our communicators do not exist.
bool is_first_rank() {
  constexpr std::array<const char*, 4> names{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                             "SLURM_PROCID"};
  for (const char* const name : names) {
    if (const char* const rank = std::getenv(name)) return std::strcmp(rank, "0") == 0;
  }
  return true;
}

std::string other_library_obstacle() {
  std::string reason = "this libkith.so was built for ";
  reason.append(mpi::library_built_for()).append(", the program runs under ");
  const std::string found = mpi::library_found();
  return reason.append(found.empty() ? "another MPI library" : found);
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
  if (is_first_rank()) {
    log_line("off for this run: " + other_library_obstacle() +
             " (Kith is built for one: cmake -DMPI_HOME=PREFIX)");
  }
}

}  // namespace kith::interpose
