// The model of this job's MPI library: whether it counts, for which communicators, and which
// decomposition serves.
#pragma once

#include <optional>

#include "mpi/late_mpi.h"
#include "record/collectives/decomposition.hpp"
#include "record/counting.hpp"

namespace kith::record {

/// Turns the decomposition on or off (KITH_COLLECTIVES). Turning it on reads what the user told the
/// library about its collectives; without memory it stays off.
void set_collective_model(bool on);

/// The calling rank as a member of a communicator.
struct Member {
  MPI_Comm comm;
  Place place;      ///< in its own group
  bool inter;       ///< between two groups
  int remote_size;  ///< of the other group

  /// Counts one message to `peer`, a rank of `comm` (of its other group, if it has one).
  void operator()(int peer, std::uint64_t bytes, CallClass c = CallClass::coll) const {
    count_message(c, comm, peer, bytes);
  }
};

/// Nothing where the model is off or another source counts this communicator's collectives.
std::optional<Member> member_of(MPI_Comm comm);

enum class Timing : std::uint8_t { blocking, nonblocking, persistent };

/// The decomposition that this job's library would use. Only where member_of gave a member.
const IntraCollectives& within_group(Timing timing);
const InterCollectives& between_groups(Timing timing);

/// How many nonblocking allreduces of one int the members need to make a communicator; 0: unknown.
int agreements_to_make_communicator();

}  // namespace kith::record
