#include "session/phase_watch.hpp"

#include <signal.h>

#include <algorithm>
#include <array>

#include "core/log.hpp"
#include "mpi/late_mpi.h"
#include "order/job_state.hpp"
#include "record/call_context.hpp"

namespace kith::preload {

constinit std::atomic<bool> phases_are_watched{false};

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds signal_patience{250};  // from a signal to its cut
constexpr std::uint64_t checks_per_window = 16;

constinit std::atomic<std::uint64_t> signals_seen{0};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

void note_signal(int) {
  signals_seen.fetch_add(1, std::memory_order_relaxed);
}

/// Known alike to all ranks, except the clock, of which only the root's counts.
struct Watch {
  PhaseCuts cuts;
  std::uint64_t collectives = 0;  ///< over the world, begun so far
  std::uint64_t next_check = 2;   ///< number of the collective before which they agree again
  std::uint64_t last_check = 0;
  std::uint64_t windows = 0;
  std::uint64_t signals = 0;  ///< that have cut
  Clock::time_point checked;
  Clock::time_point cut;
  bool has_failed = false;  ///< this rank could not cut; it says so when they agree again
};
Watch watch;

/// Agreed by maximum; the root alone gives the times.
struct Votes {
  std::uint64_t signals = 0;
  std::uint64_t since_check_us = 0;
  std::uint64_t window_is_over = 0;
  std::uint64_t some_failed = 0;
};

std::uint64_t microseconds(Clock::duration time) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

Votes agree(PrivateComm& private_comm) {
  std::array<std::uint64_t, 4> mine{signals_seen.load(std::memory_order_relaxed), 0, 0,
                                    watch.has_failed ? std::uint64_t{1} : 0};
  if (private_comm.is_root()) {
    const auto now = Clock::now();
    mine[1] = microseconds(now - watch.checked);
    mine[2] = watch.cuts.window.count() > 0 && now - watch.cut >= watch.cuts.window ? 1 : 0;
  }
  std::array<std::uint64_t, 4> all{};
  check_mpi(PMPI_Allreduce(mine.data(), all.data(), 4, MPI_UINT64_T, MPI_MAX, private_comm.comm()),
            "MPI_Allreduce");
  return {all[0], all[1], all[2], all[3]};
}

// So many collectives on that about a sixteenth of a window passes, at the pace since the last
// check; never more than twice as many, as the pace may change.
void plan_next_check(std::uint64_t since_check_us) {
  std::uint64_t target_us = microseconds(watch.cuts.window) / checks_per_window;
  if (watch.cuts.signal != 0) {
    const std::uint64_t patience = microseconds(signal_patience);
    target_us = target_us == 0 ? patience : std::min(target_us, patience);
  }
  const std::uint64_t passed = watch.collectives - watch.last_check;
  const std::uint64_t at_this_pace =
      passed * target_us / std::max<std::uint64_t>(since_check_us, 1);
  watch.last_check = watch.collectives;
  watch.next_check =
      watch.collectives +
      std::clamp<std::uint64_t>(at_this_pace, 1, std::max<std::uint64_t>(passed, 1) * 2);
}

/// On this rank alone; the others learn of a failure when all agree again, and do not wait till
/// then.
void cut(JobState& state, const std::string& name) {
  try {
    state.phases.close(name);
  } catch (const std::exception& error) {
    watch.has_failed = true;
    log_line(std::string("no more windows and signals in this run: ") + error.what());
  }
}

void check(JobState& state) {
  const Votes votes = agree(*state.private_comm);
  if (votes.some_failed != 0) {
    watch.has_failed = true;
    stop_watching_phases();
    return;
  }
  plan_next_check(votes.since_check_us);
  watch.checked = Clock::now();
  if (votes.signals > watch.signals) {
    watch.signals = votes.signals;
    cut(state, "signal " + std::to_string(watch.signals));
  } else if (votes.window_is_over != 0) {
    cut(state, "window " + std::to_string(++watch.windows));
  } else {
    return;
  }
  watch.cut = Clock::now();
}

/// Windows that were asked for and never ended, though there was time for two.
void tell_of_no_windows() {
  const bool is_late = Clock::now() - watch.cut >= 2 * watch.cuts.window;
  if (watch.cuts.window.count() == 0 || watch.windows > 0 || watch.has_failed || !is_late) return;
  log_line(
      "KITH_WINDOW: no window ended: they end in blocking collectives over all ranks, of which the "
      "program made " +
      std::to_string(watch.collectives));
}

}  // namespace

std::string watch_phases(const PhaseCuts& cuts) {
  watch.cuts = cuts;
  watch.checked = watch.cut = Clock::now();
  std::string problem;
  if (cuts.signal != 0) {
    struct sigaction action {};
    sigaction(cuts.signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
      problem = "the program has a handler of its own for signal " + std::to_string(cuts.signal);
    } else {
      action = {};
      action.sa_handler = note_signal;
      action.sa_flags = SA_RESTART;
      sigaction(cuts.signal, &action, nullptr);
    }
  }
  const bool watched = cuts.window.count() > 0 || cuts.signal != 0;
  phases_are_watched.store(watched, std::memory_order_release);
  return problem;
}

void stop_watching_phases() {
  phases_are_watched.store(false, std::memory_order_release);
  const bool is_root = job_state().private_comm && job_state().private_comm->is_root();
  if (is_root) tell_of_no_windows();
  if (watch.cuts.signal == 0) return;
  struct sigaction action {};
  sigaction(watch.cuts.signal, nullptr, &action);
  if (action.sa_handler != note_signal && is_root) {
    log_line(
        "KITH_CHECKPOINT_SIGNAL: the program has installed a handler of its own for this signal: "
        "phases by signal end there");
  }
  // From here on the signal has no handler; its default would end the process in MPI_Finalize.
  if (action.sa_handler == note_signal) {
    action = {};
    action.sa_handler = SIG_IGN;
    sigaction(watch.cuts.signal, &action, nullptr);
  }
}

void before_world_collective() noexcept {
  if (++watch.collectives < watch.next_check) return;
  JobState& state = job_state();
  if (!state.private_comm) return;
  const record::OwnCalls own;
  try {
    check(state);
  } catch (const std::exception& error) {
    stop_watching_phases();
    log_line(std::string("no more windows and signals in this run: ") + error.what());
  }
}

int signal_of_name(const std::string& name) {
  struct Known {
    const char* name;
    int number;
  };
  static constexpr std::array<Known, 5> known{{{"USR1", SIGUSR1},
                                               {"USR2", SIGUSR2},
                                               {"HUP", SIGHUP},
                                               {"WINCH", SIGWINCH},
                                               {"URG", SIGURG}}};
  const std::string bare = name.starts_with("SIG") ? name.substr(3) : name;
  for (const Known& one : known) {
    if (bare == one.name) return one.number;
  }
  return 0;
}

}  // namespace kith::preload
