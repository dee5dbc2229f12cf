// The trace of the job, from MPI_Init to MPI_Finalize.
#pragma once

#include "runtime/job_state.hpp"
#include "runtime/rank_traffic.hpp"

namespace kith::runtime {

/// Collective over the job's team, before MPI_Finalize: gathers what every rank recorded and writes
/// the trace; `own` is this rank's. Whatever goes wrong is one line of the root's. Throws
/// MpiFailure when ranks cannot talk to each other, and std::bad_alloc.
void finish_job_trace(JobState& state, RankTraffic own);

}  // namespace kith::runtime
