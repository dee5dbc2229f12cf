// Kith's life in a job: from the return of MPI_Init to the call of MPI_Finalize.
#pragma once

#include <string>

namespace kith::runtime {

/// Why some calls of this program may not reach us, as a clause; empty when all do.
using BypassReason = std::string (*)();

/// Before MPI_Init, not collective: what has to be in place by then.
void before_init() noexcept;

/// Collective over the world, once, right after MPI_Init returned. Begins to record; with
/// KITH_REORDER decides the order and replaces the world. Never throws; whatever goes wrong is one
/// line on stderr and a job as without Kith.
void after_init(BypassReason bypass_reason) noexcept;

/// MPI_Pcontrol: on this rank alone, a phase ends and phase "level N" begins. Any thread.
void phase_opened(int level) noexcept;

/// Collective over the world, before MPI_Finalize. Gathers and writes the trace if one is wanted.
void before_finalize() noexcept;

}  // namespace kith::runtime
