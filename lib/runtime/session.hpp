// Kith's life in a job: from the return of MPI_Init to the call of MPI_Finalize.
#pragma once

namespace kith::runtime {

/// Tells the name of a function whose calls do not reach us first (a tool in front, or the
/// application's own definition); null when all do.
using FirstBypassed = const char* (*)();

/// Collective over the world, once, right after MPI_Init returned. Begins to record; with
/// KITH_REORDER decides the order and replaces the world. Never throws; whatever goes wrong is one
/// line on stderr and a job as without Kith.
void after_init(FirstBypassed first_bypassed) noexcept;

/// Collective over the world, before MPI_Finalize. Gathers and writes the trace if one is wanted.
void before_finalize() noexcept;

}  // namespace kith::runtime
