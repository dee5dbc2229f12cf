// What a run leaves behind: its trace, and under KITH_REORDER=auto its profile (automatic.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "order/job_state.hpp"
#include "order/order.hpp"
#include "trace/host_rows.hpp"
#include "trace/timeline_gather.hpp"

namespace kith::preload {

/// From a rank of the program to its member of the job's private communicator, whose ranks are the
/// launcher's.
int launcher_rank_of(const PrivateComm& private_comm, std::uint32_t rank);

/// On the root, at MPI_Init: where the trace goes. Empty, or why none can be written.
std::string prepare_job_trace(JobState& state);

/// Collective: how far this host's clock is from the root's, and a moment that all ranks share.
void compare_clocks(JobState& state);
/// Seconds since that moment. Local.
double since_origin(const JobState& state);

/// What this rank's timeline says of the whole run, on the root's clock. Collective.
RunTimes run_times(JobState& state, const record::Load& load);

/// Collective over the job's private communicator, when the ranks have their order and before
/// anything is counted: from here on the rows survive without MPI_Finalize. Throws MpiFailure and
/// std::bad_alloc.
void begin_job_trace(JobState& state);

/// Collective over the job's private communicator, before MPI_Finalize: gathers what every rank
/// recorded and writes the trace; `own_traffic()` says what this rank did, and may find no memory
/// for it. Whatever goes wrong is one line of the root's. Throws MpiFailure when ranks cannot talk
/// to each other.
void finish_job_trace(JobState& state, const std::function<RankTraffic()>& own_traffic);

// KITH_REORDER=auto: the run is recorded in a profile, by which later ones are reordered.

/// The value of KITH_REORDER; a file of that name is "./auto".
inline constexpr char automatic_order[] = "auto";

/// Collective, at MPI_Init. As agree_on_order(), by the profile that earlier runs of this program
/// left; `request` says nothing of traffic. Once in a process.
Order decide_by_profile(PrivateComm& private_comm, const OrderRequest& request, Engine& engine);

/// Whether this run is one of a profile, as decide_by_profile() found: the same on all ranks.
bool is_recorded_in_profile();

/// Whether it is one without which the profile has no timeline: the same on all ranks.
bool is_timeline_kept_in_profile();

/// Collective over the job's private communicator, before MPI_Finalize, of such a run: gathers what
/// every rank sent, and its timeline where one was kept for the profile, and has the engine renew
/// the profile. Leaves the recorded rows as they are. One line of the root's tells what was gained,
/// or why nothing was done. Throws MpiFailure and std::bad_alloc.
void renew_profile(JobState& state);

}  // namespace kith::preload
