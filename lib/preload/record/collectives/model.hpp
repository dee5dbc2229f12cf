// What an MPI library's collectives are to the recorder: one model per library and way of calling,
// each a pure function of its arguments. No MPI here.
#pragma once

#include "record/collectives/patterns/message.hpp"

namespace kith::record {

/// Numbered as in the files of Open MPI's coll_tuned_dynamic_rules_filename.
enum class Collective : std::uint8_t {
  allgather,
  allgatherv,
  allreduce,
  alltoall,
  alltoallv,
  alltoallw,
  barrier,
  bcast,
  exscan,
  gather,
  gatherv,
  reduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  scatter,
  scatterv,
};
inline constexpr std::size_t collective_count = 17;

/// The root of a collective, as the calling rank names it.
enum class RootIs : std::uint8_t {
  rank,       ///< Arguments::root: of the group or, between two groups, of the other one
  caller,     ///< between two groups: the calling rank (MPI_ROOT)
  own_group,  ///< between two groups: another rank of the calling rank's (MPI_PROC_NULL)
};

/// What the messages of a collective follow from. A collective reads only what is named for it;
/// counts are those of the call. Calls that MPI answers without communication are left out by the
/// caller of a model.
struct Arguments {
  /// bcast, reduce, gather, gatherv, scatter, scatterv.
  RootIs root_is = RootIs::rank;
  int root = 0;

  /// - bcast, reduce, allreduce, scan, exscan: the message;
  /// - gather, gatherv: what the calling rank contributes or, at the root of a gather within one
  ///   group, receives from each;
  /// - scatter: what it receives or, at the root, sends to each;
  /// - scatterv between two groups: what it receives, unless it is the root;
  /// - allgather, allgatherv: what the call says it sends, which decides even where the call is in
  ///   place (of an allgatherv within one group, only the size of an element);
  /// - alltoall: what it sends to each;
  /// - reduce_scatter_block: the block of each rank.
  Payload payload{0, 0};

  /// - scatterv: what the root sends to each; read at the root only;
  /// - allgather, allgatherv: what is received from each;
  /// - alltoallv: what the calling rank sends to each;
  /// - reduce_scatter: the blocks of the own group.
  Blocks blocks{std::int64_t{0}, 0};

  /// alltoallw: what the calling rank sends to each.
  BytesTo bytes_to{};

  bool commutes = true;     ///< the operation of a reduction
  bool is_built_in = true;  ///< it is one of MPI's own
  bool in_place = false;  ///< allreduce, alltoall, alltoallv, alltoallw
};

/// Collectives of one group of at least two ranks.
class IntraModel {
 public:
  /// Calls send(peer, bytes) for each message that the rank `place` sends.
  virtual void messages(Collective collective, const Place& place, const Arguments& arguments,
                        Send send) const = 0;

 protected:
  ~IntraModel() = default;
};

/// The calling rank within its own group, and the size of the other one.
struct InterPlace {
  Place local;
  int remote_size;
};

/// Peers of `local` are ranks of the own group, those of `remote` of the other one.
struct InterSend {
  Send local;
  Send remote;
};

/// Collectives between two groups.
class InterModel {
 public:
  virtual void messages(Collective collective, const InterPlace& place, const Arguments& arguments,
                        InterSend send) const = 0;

 protected:
  ~InterModel() = default;
};

}  // namespace kith::record
