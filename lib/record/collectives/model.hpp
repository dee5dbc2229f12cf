// Collectives as messages: what the calling rank sends, by the algorithm that a library would
// choose.
//
// Sources of the decisions: the fixed decision rules published with Open MPI's "tuned" component
// (sizes and counts at which it changes algorithm). Inter-communicators are not decomposed.
#pragma once

#include <cstdint>
#include <optional>

#include "mpi/late_mpi.h"
#include "record/counting.hpp"

namespace kith::record {

/// Turns the decomposition on or off (KITH_COLLECTIVES).
void set_collective_model(bool on);

/// The calling rank as a member of an intra-communicator of at least two ranks.
struct Member {
  MPI_Comm comm;
  int size;
  int rank;

  /// Counts one message to `peer`, a rank of `comm`.
  void operator()(int peer, std::uint64_t bytes) const {
    count_message(CallClass::coll, comm, peer, bytes);
  }
};

/// Nothing when the model is off, for inter-communicators, and for one rank alone.
std::optional<Member> member_of(MPI_Comm comm);

inline std::uint64_t bytes_of(std::int64_t count, MPI_Datatype datatype) {
  return static_cast<std::uint64_t>(count) * size_of(datatype);
}

}  // namespace kith::record
