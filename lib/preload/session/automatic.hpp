// KITH_REORDER=auto: the run is recorded in a profile, by which later ones are reordered.
#pragma once

#include "order/job_state.hpp"
#include "order/order.hpp"

namespace kith::runtime {

/// The value of KITH_REORDER; a file of that name is "./auto".
inline constexpr char automatic_order[] = "auto";

/// Collective, at MPI_Init. As decide_order(), by the profile that earlier runs of this program
/// left; `request` says nothing of traffic. Once in a process.
Order decide_by_profile(PrivateComm& private_comm, const OrderRequest& request, Engine& engine);

/// Whether this run is one of a profile, as decide_by_profile() found: the same on all ranks.
bool is_recorded_in_profile();

/// Collective over the job's private communicator, before MPI_Finalize, of such a run: gathers what
/// every rank sent and has the engine renew the profile. Leaves the recorded rows as they are. One
/// line of the root's tells what was gained, or why nothing was done. Throws MpiFailure and
/// std::bad_alloc.
void renew_profile(JobState& state);

}  // namespace kith::runtime
