// Numbers for communicators and windows that events can name, and names for them that are the same
// on all members.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/late_mpi.h"
#include "timeline/stream.hpp"

namespace kith::record {

class ThreadTimeline;

/// The communicator was just made. Its members make those of one group in the same order, so that
/// the group and a count name it. Local; costs a look at each member.
void communicator_appeared(MPI_Comm made);
/// The same for one that has the group of `like`, and may not be usable yet (MPI_Comm_idup). Costs
/// a look at the members only where `like` is not known.
void duplicate_appeared(MPI_Comm made, MPI_Comm like);
void window_appeared(MPI_Win made);
/// It is about to be freed: the next one of the same group gets its number.
void communicator_vanished(MPI_Comm comm);
void window_vanished(MPI_Win window);

/// Its number; one that was never seen to appear gets one now.
std::uint32_t number_of(ThreadTimeline& timeline, MPI_Comm comm);
std::uint32_t number_of(MPI_Win window);

/// All that have a number, by number. Throws std::bad_alloc.
std::vector<timeline::Communicator> numbered_communicators();

/// Number 0 is `world`, number 1 MPI_COMM_SELF.
void begin_communicators(MPI_Comm world);

}  // namespace kith::record
