// What the wrappers call: every function counts what the calling rank itself sent.
//
// All are thread safe, take no lock (but to make or free a persistent request), never fail, and do
// nothing before MPI_Init or after MPI_Finalize. They are called after the MPI call returned
// MPI_SUCCESS, so the arguments are known to be valid; communicators are those that the library
// saw. Collectives count the messages that the calling rank would send in the decomposition of
// record/collectives.
#pragma once

#include <array>
#include <cstdint>

#include "mpi/late_mpi.h"
#include "record/collectives/calls.hpp"
#include "record/counting.hpp"
#include "record/row.hpp"
#include "record/size_histogram.hpp"
#include "record/timeline/events.hpp"
#include "timeline/stream.hpp"

namespace kith::record {

// The grid of processes that the program asks MPI for.

/// As MPI_Cart_create was called. Plain data, the same on all ranks.
struct CartesianShape {
  static constexpr int most_dimensions = 16;

  int dimensions = 0;
  std::array<int, most_dimensions> extents{};
  std::array<int, most_dimensions> periodic{};  ///< 0 or 1
};

/// The first Cartesian communicator that has as many members as the world.
struct CartesianMembership {
  CartesianShape shape;
  int rank = 0;  ///< of this process in it
};

/// Counts what making the communicator sends, and remembers the first of the world's size. Local.
void cartesian_made(MPI_Comm from, int dimensions, const int extents[], const int periodic[],
                    MPI_Comm made);

/// Null: this process has made none.
const CartesianMembership* first_cartesian();

// One-sided traffic: bytes go from where they are to where they are wanted.
//
// A put moves bytes from the origin (the caller) to the target, a get from the target to the
// origin: a cell of the target's row that only the origin knows (Row::fetched). The atomic
// operations move as many bytes as Open MPI's own one-sided monitoring counts: an element each way
// for fetch-and-op and compare-and-swap, the operand there and the old value back for
// get-accumulate. MPI_NO_OP sends no operand. Loads and stores in shared memory are no calls.

/// MPI_Put, MPI_Accumulate and their request-based forms; `request` is null in the others.
void put(Op op, MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype,
         const MPI_Request* request = nullptr);
void get(MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype,
         const MPI_Request* request = nullptr);
void get_accumulate(MPI_Win window, int target, MPI_Op op, std::int64_t operand_count,
                    MPI_Datatype operand_type, std::int64_t result_count, MPI_Datatype result_type,
                    const MPI_Request* request = nullptr);
void fetch_and_op(MPI_Win window, int target, MPI_Op op, MPI_Datatype datatype);
void compare_and_swap(MPI_Win window, int target, MPI_Datatype datatype);

/// What begins, ends or completes an epoch; `target` is a rank of the window, negative: none.
void epoch(Op op, MPI_Win window, int target);
/// MPI_Win_test: as MPI_Win_wait, where it found the epoch over.
void epoch_tested(MPI_Win window, int is_over);

/// The handle of a freed window may come back as another's.
void forget_windows();

// --- point-to-point ---------------------------------------------------------------------------
inline void sent(Op op, MPI_Comm comm, int dest, int tag, std::int64_t count,
                 MPI_Datatype datatype) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(count) * size_of(datatype);
  const RowEntry* const entry = count_message(CallClass::p2p, comm, dest, bytes);
  ThreadRecord* const record = call_context.record;
  if (record == nullptr || record->timeline == nullptr) return;
  send_event(*record, op, comm, entry, tag, bytes);
}
/// A send with a request.
inline void sent(Op op, MPI_Comm comm, int dest, int tag, std::int64_t count,
                 MPI_Datatype datatype, MPI_Request request) {
  sent(op, comm, dest, tag, count, datatype);
  if (dest < 0) return;
  if (ThreadTimeline* const timeline = this_timeline()) request_opened(*timeline, request);
}
/// MPI_Sendrecv and its like.
void exchanged(MPI_Comm comm, int dest, int send_tag, std::int64_t count, MPI_Datatype datatype,
               int source, int receive_tag, const MPI_Status* status);
/// MPI_Isendrecv and its like: one request stands for both.
void exchange_begun(MPI_Comm comm, int dest, int send_tag, std::int64_t count,
                    MPI_Datatype datatype, int source, int receive_tag, MPI_Request request);
/// A persistent send was made; `started` counts it each time.
void send_prepared(MPI_Comm comm, int dest, int tag, std::int64_t count, MPI_Datatype datatype,
                   MPI_Request request);
void started(MPI_Request request);
void request_freed(MPI_Request request);

// --- handles that are about to be reused --------------------------------------------------------
void forget_communicator(MPI_Comm comm);
void forget_datatypes();

// --- the account --------------------------------------------------------------------------------
/// exact: the model serves where the message layer does not tell. Requires install_exact().
enum class Collectives : std::uint8_t { off, model, exact };

/// Begins to count; `world` is the communicator whose ranks are the rows and columns. A timeline is
/// kept in at most `timeline_bytes`; 0: none.
void begin(MPI_Comm world, Collectives collectives, std::size_t timeline_bytes);
/// This rank's timeline so far, except its rank and the seconds of the run. Only while no other
/// thread records. Throws std::bad_alloc.
timeline::RankTimeline timeline_so_far();
/// The same of the calling thread alone, which may be done at any time.
timeline::RankTimeline timeline_of_this_thread();
/// At the end of a call of MPI by the first thread with a timeline, `seconds` from now, `snapshot` is
/// called, and again after as many seconds as it says; 0: never again.
void snapshot_timeline_by(double (*snapshot)() noexcept, double seconds);
/// Counts nothing more. Rows stay readable.
void end();
/// This rank's row so far, all threads added up. Throws std::bad_alloc.
Row row_so_far();
/// Messages by size and class of call so far, all threads added up.
SizeHistogram size_histogram_so_far();

}  // namespace kith::record
