// Kith's life in a job: from the return of MPI_Init to the call of MPI_Finalize.
#pragma once

#include "job/presence.hpp"
#include "order/job_state.hpp"

namespace kith::preload {

/// Before MPI_Init, not collective: what has to be in place by then. `calls`: of the program.
void before_init(const ProgramCalls& calls) noexcept;

/// Before the program's first MPI_Session_init, not collective: MPI may begin in it, and what other
/// ranks are to know when they meet in MPI_Init is left now.
void before_session(const ProgramCalls& calls) noexcept;

/// Whether a setting of this process asks for a trace, an order or a check. From before_init() on.
bool is_something_asked() noexcept;

/// Once, right after MPI_Init returned. Where something is asked, or the program calls kith.h,
/// collective over the world: begins to record; with KITH_REORDER decides the order and replaces
/// the world. Else local, and no message is sent before the program asks for a topology. Never
/// throws; whatever goes wrong is one line on stderr and a job as without Kith.
void after_init(BypassReason bypass_reason) noexcept;

/// MPI_Pcontrol: on this rank alone, a phase ends and phase "level N" begins. Any thread.
void phase_opened(int level) noexcept;

/// Before MPI_Finalize; collective over the world where after_init() was. Gathers and writes the
/// trace if one is wanted.
void before_finalize() noexcept;

}  // namespace kith::preload
