// What a rank did, operation by operation: the events of a timeline. Plain data, no MPI here:
// libkith.so records them, the engine reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/digest.hpp"

namespace kith::timeline {

/// Operations in the order of the table of names (operation_names.cpp). Numbers are part of the
/// file format: new ones go to the end.
enum class Op : std::uint8_t {
  // Point-to-point. A persistent request is a start_send or start_recv each time it is started.
  send,
  bsend,
  ssend,
  rsend,
  isend,
  ibsend,
  issend,
  irsend,
  start_send,
  recv,
  irecv,
  start_recv,
  mrecv,
  imrecv,
  sendrecv_send,   ///< MPI_Sendrecv: its send; always followed by its receive
  sendrecv_recv,   ///< the receive; both are under way until both are done
  isendrecv_send,  ///< MPI_Isendrecv: one request for both; followed by isendrecv_recv
  isendrecv_recv,
  probe,
  iprobe,  ///< one that found a message; all others are not recorded
  mprobe,
  improbe,
  // Completion: `list` has the requests that the call completed. Tests that completed nothing are
  // not recorded.
  wait,
  waitall,
  waitany,
  waitsome,
  test,
  testall,
  testany,
  testsome,
  request_free,
  // Collectives: `list` has the messages that this rank sends in it.
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
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
  // One-sided. `comm` is the window; `list` has the messages that the library was seen to send to
  // open or close an epoch.
  put,
  get,
  accumulate,
  get_accumulate,
  fetch_and_op,
  compare_and_swap,
  fence,
  lock,
  unlock,
  lock_all,
  unlock_all,
  flush,
  flush_all,
  post,
  start_epoch,
  complete,
  wait_epoch,
  sync,
  // What makes or frees communicators, windows, files, or moves bytes to files: `list` has the
  // messages that the library was seen, or is modelled, to send meanwhile.
  setup,
  file,
  // What the rank did since the last such event (or the beginning) belongs to phase `tag`, as in the
  // names of the trace's phase files; 0: no name is known.
  phase,
  count
};
inline constexpr std::size_t op_count = static_cast<std::size_t>(Op::count);

/// Bits of Event::flags.
enum EventFlag : std::uint8_t {
  any_source = 1,      ///< a receive or probe that named no source
  any_tag = 2,         ///< ... no tag
  outside = 4,         ///< the peer is a process outside the job's world
  nonblocking = 8,     ///< a collective or one-sided operation with a request
  persistent = 16,     ///< a start of a persistent collective
  in_place = 32,       ///< a collective in place
  not_commutative = 64,  ///< the operation of a reduction
  nothing_there = 128  ///< one-sided: no message to the target (a get, a fetch with MPI_NO_OP)
};

inline constexpr std::int32_t no_peer = INT32_MIN;
/// Event::peer of rooted collectives between two groups.
inline constexpr std::int32_t root_is_caller = -1;
inline constexpr std::int32_t root_in_own_group = -2;

/// One operation, without its times. Equal bytes mean equal operations.
struct Event {
  /// Of the message (count x type size); of a collective what Arguments::payload says, in bytes;
  /// one-sided what goes to the target, of a get what comes back.
  std::uint64_t bytes = 0;
  /// Point-to-point and one-sided: world rank of the peer less the own world rank, no_peer where it
  /// is unknown (an irecv from any source; its completion tells) or outside the world. Rooted
  /// collectives: the root's rank in the communicator, or root_is_...
  std::int32_t peer = no_peer;
  std::int32_t tag = 0;      ///< as matched
  std::uint32_t comm = 0;    ///< index into the rank's communicators; 0: the world
  std::uint32_t list = 0;    ///< index into the stream's lists; 0: an empty list
  std::uint32_t element = 0;  ///< size of a datatype element in bytes; one-sided: bytes back (not of a get)
  Op op = Op::send;
  std::uint8_t flags = 0;
  std::uint16_t unused = 0;

  bool operator==(const Event& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
};
static_assert(sizeof(Event) == 32);

inline std::uint64_t hash_of(const Event& event, std::uint64_t hash = 0) {
  std::uint64_t words[sizeof(Event) / sizeof(std::uint64_t)];
  std::memcpy(words, &event, sizeof event);
  for (const std::uint64_t word : words) hash = hash_with(hash, word);
  return hash;
}

/// "MPI_Isend" and the like.
const char* name_of(Op op);
/// The same of a call with these flags: "MPI_Iallreduce", "MPI_Rput", "MPI_Start (MPI_Allreduce)".
std::string name_of(Op op, std::uint8_t flags);

constexpr bool is_in(Op op, Op first, Op last) {
  return op >= first && op <= last;
}
/// Sends a point-to-point message.
constexpr bool is_send(Op op) {
  return is_in(op, Op::send, Op::start_send) || op == Op::sendrecv_send || op == Op::isendrecv_send;
}
/// Receives a point-to-point message.
constexpr bool is_receive(Op op) {
  return is_in(op, Op::recv, Op::imrecv) || op == Op::sendrecv_recv || op == Op::isendrecv_recv;
}
constexpr bool is_completion(Op op) {
  return is_in(op, Op::wait, Op::request_free);
}
constexpr bool is_collective(Op op) {
  return is_in(op, Op::allgather, Op::neighbor_alltoallw);
}
constexpr bool is_one_sided(Op op) {
  return is_in(op, Op::put, Op::compare_and_swap);
}
/// The messages of a one-sided operation: to the target, and back.
struct OneSidedBytes {
  bool goes = false;
  bool comes = false;
  std::uint64_t there = 0;
  std::uint64_t back = 0;
};
constexpr OneSidedBytes one_sided_bytes(const Event& event) {
  if (event.op == Op::get) return {false, true, 0, event.bytes};
  const bool only_there = event.op == Op::put || event.op == Op::accumulate;
  return {(event.flags & nothing_there) == 0, !only_there, event.bytes, event.element};
}

/// Makes a request that a completion names later.
constexpr bool makes_request(const Event& event) {
  switch (event.op) {
    case Op::isend:
    case Op::ibsend:
    case Op::issend:
    case Op::irsend:
    case Op::start_send:
    case Op::irecv:
    case Op::start_recv:
    case Op::imrecv:
    case Op::isendrecv_recv:
      return true;
    default:
      return (event.flags & (nonblocking | persistent)) != 0;
  }
}

/// Entries of a completion's list, and their fields in that order (list_code.hpp).
struct CompletedRequest {
  /// How many requests this thread made after it (0: the newest); of another thread's request its
  /// number there, counted from 0.
  std::int64_t distance = 0;
  std::int64_t other_thread = 0;  ///< 0: made by this thread; else that thread's number + 1
  std::int64_t peer = no_peer;    ///< a receive from any source or with any tag: what it matched,
  std::int64_t tag = 0;           ///< peer as in Event; else no_peer and 0, or cancelled_tag
};
/// CompletedRequest::tag, with no_peer: the receive was cancelled and received nothing.
inline constexpr std::int64_t cancelled_tag = INT32_MIN;
constexpr bool is_cancelled(std::int64_t peer, std::int64_t tag) {
  return peer == no_peer && tag == cancelled_tag;
}
inline constexpr int completed_request_fields = 4;

/// Entries of a collective's list, a setup's and a file's.
struct InnerMessages {
  std::int64_t peer = 0;      ///< world rank less the own one; no_peer: outside the world
  std::int64_t bytes = 0;     ///< of each message
  std::int64_t messages = 1;  ///< how many of them
};
inline constexpr int inner_message_fields = 3;

}  // namespace kith::timeline
