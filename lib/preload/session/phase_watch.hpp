// Phases without the program's doing: time windows and a signal.
//
// Ranks must cut at the same place, and their clocks and signals do not come at the same time. So
// they cut before collectives over the world, which every rank calls in the same order (also where
// a call then fails on some ranks): before some of these they agree on the root's clock and on the
// signals seen so far. Which ones is agreed as well, so that a program with many collectives is
// asked about ten times per window only.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

namespace kith::preload {

/// True while windows or a signal may cut phases: a wrapper asks this first.
extern std::atomic<bool> phases_are_watched;

/// What the root's settings ask for.
struct PhaseCuts {
  std::chrono::milliseconds window{0};  ///< 0: no windows
  int signal = 0;                       ///< 0: no signal
};

/// Collective over the world, at MPI_Init. Where the program has a handler for the signal already,
/// it keeps it: empty on success, else why there will be no phases by signal here.
std::string watch_phases(const PhaseCuts& cuts);
void stop_watching_phases();

/// Collective over the world: the program begins a blocking collective over it. Never throws.
void before_world_collective() noexcept;

/// "USR1", "SIGUSR1"; 0 for an unknown name, or a signal that must be left alone.
int signal_of_name(const std::string& name);

}  // namespace kith::preload
