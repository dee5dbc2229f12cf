// What an MPI library's collectives are to the recorder: one object per library and way of calling,
// each a pure function of its arguments. No MPI here.
#pragma once

#include "record/collectives/patterns/message.hpp"

namespace kith::record {

/// What a reduction's algorithm may depend on besides sizes.
struct Operands {
  bool commutes = true;
  bool in_place = false;
};

/// Collectives of one group of at least two ranks. Counts are those of the call; the calls that the
/// binding answers without communication have been left out by the caller.
class IntraCollectives {
 public:
  virtual void barrier(const Place& place, Send send) const = 0;
  virtual void bcast(const Place& place, int root, const Payload& payload, Send send) const = 0;
  virtual void reduce(const Place& place, int root, const Payload& payload, Operands operands,
                      Send send) const = 0;
  virtual void allreduce(const Place& place, const Payload& payload, Operands operands,
                         Send send) const = 0;
  /// `block` is what the calling rank contributes or, at the root, receives from each.
  virtual void gather(const Place& place, int root, const Payload& block, Send send) const = 0;
  /// `block` is what the calling rank contributes.
  virtual void gatherv(const Place& place, int root, const Payload& block, Send send) const = 0;
  /// `block` is what the calling rank receives or, at the root, sends to each.
  virtual void scatter(const Place& place, int root, const Payload& block, Send send) const = 0;
  /// `blocks` is read at the root only.
  virtual void scatterv(const Place& place, int root, const Blocks& blocks, Send send) const = 0;
  /// `decisive_bytes`: sendcount x type size, which decides even where the call is in place.
  virtual void allgather(const Place& place, std::uint64_t decisive_bytes, const Payload& block,
                         Send send) const = 0;
  /// `decisive_element`: the size of the type sent; decisions multiply it with the counts received.
  virtual void allgatherv(const Place& place, std::uint64_t decisive_element, const Blocks& blocks,
                          Send send) const = 0;
  virtual void alltoall(const Place& place, const Payload& block, Operands operands,
                        Send send) const = 0;
  virtual void alltoallv(const Place& place, const Blocks& blocks, Operands operands,
                         Send send) const = 0;
  /// Alltoallw sends each block directly. Whether it sends the one to `peer` even if it is empty.
  virtual bool alltoallw_sends_empty(const Place& place, int peer, Operands operands) const = 0;
  virtual void reduce_scatter(const Place& place, const Blocks& blocks, Operands operands,
                              Send send) const = 0;
  virtual void reduce_scatter_block(const Place& place, const Payload& block, Operands operands,
                                    Send send) const = 0;
  virtual void scan(const Place& place, const Payload& payload, Send send) const = 0;
  virtual void exscan(const Place& place, const Payload& payload, Send send) const = 0;

 protected:
  ~IntraCollectives() = default;
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

/// The root of a collective between two groups, as the calling rank names it.
struct InterRoot {
  enum class Is : std::uint8_t { caller, same_group, other_group };
  Is is;
  int rank = 0;  ///< of the other group
};

/// Collectives between two groups.
class InterCollectives {
 public:
  virtual void barrier(const InterPlace& place, InterSend send) const = 0;
  virtual void bcast(const InterPlace& place, InterRoot root, const Payload& payload,
                     InterSend send) const = 0;
  virtual void reduce(const InterPlace& place, InterRoot root, const Payload& payload,
                      Operands operands, InterSend send) const = 0;
  virtual void allreduce(const InterPlace& place, const Payload& payload, Operands operands,
                         InterSend send) const = 0;
  virtual void gather(const InterPlace& place, InterRoot root, const Payload& block,
                      InterSend send) const = 0;
  virtual void gatherv(const InterPlace& place, InterRoot root, const Payload& block,
                       InterSend send) const = 0;
  virtual void scatter(const InterPlace& place, InterRoot root, const Payload& block,
                       InterSend send) const = 0;
  /// `blocks` is read at the root, `received` elsewhere.
  virtual void scatterv(const InterPlace& place, InterRoot root, const Blocks& blocks,
                        const Payload& received, InterSend send) const = 0;
  /// What the calling rank sends, and what it receives from each of the other group.
  virtual void allgather(const InterPlace& place, const Payload& sent, const Payload& received,
                         InterSend send) const = 0;
  virtual void allgatherv(const InterPlace& place, const Payload& sent, const Blocks& received,
                          InterSend send) const = 0;
  virtual void alltoall(const InterPlace& place, const Payload& block, InterSend send) const = 0;
  virtual void alltoallv(const InterPlace& place, const Blocks& blocks, InterSend send) const = 0;
  /// Blocks of the own group.
  virtual void reduce_scatter(const InterPlace& place, const Blocks& blocks,
                              InterSend send) const = 0;
  virtual void reduce_scatter_block(const InterPlace& place, const Payload& block,
                                    InterSend send) const = 0;

 protected:
  ~InterCollectives() = default;
};

}  // namespace kith::record
