// `kith run --check`: say who would be where, and end before the program's own work.
#pragma once

#include "job/presence.hpp"
#include "order/job_state.hpp"

namespace kith::runtime {

/// Collective, at the end of MPI_Init, with the job and its order known: the root writes the report
/// to its standard output, then every process finalises MPI and ends with status 0. Never returns.
[[noreturn]] void report_and_end(JobState& state);

/// The same where some ranks do not run under Kith and cannot be waited for: who speaks for the
/// present writes the report, and all who are present wait for the launcher to be ended by
/// `kith run`; when it does not, the job is aborted. Never returns.
[[noreturn]] void report_missing_and_end(const Presence& presence);

/// At KITH_VERBOSE=2: who sits where, a line for each rank on the root's standard error.
void log_places(const JobState& state);

}  // namespace kith::runtime
