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

/// MPI_Put, MPI_Accumulate and their request-based forms.
void put(MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype);
void get(MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype);
void get_accumulate(MPI_Win window, int target, MPI_Op op, std::int64_t operand_count,
                    MPI_Datatype operand_type, std::int64_t result_count, MPI_Datatype result_type);
void fetch_and_op(MPI_Win window, int target, MPI_Op op, MPI_Datatype datatype);
void compare_and_swap(MPI_Win window, int target, MPI_Datatype datatype);

/// The handle of a freed window may come back as another's.
void forget_windows();

// --- point-to-point ---------------------------------------------------------------------------
inline void sent(MPI_Comm comm, int dest, std::int64_t count, MPI_Datatype datatype) {
  count_message(CallClass::p2p, comm, dest, static_cast<std::uint64_t>(count) * size_of(datatype));
}
/// A persistent send was made; `started` counts it each time.
void send_prepared(MPI_Comm comm, int dest, std::int64_t count, MPI_Datatype datatype,
                   MPI_Request request);
void started(MPI_Request request);
void request_freed(MPI_Request request);

// --- handles that are about to be reused --------------------------------------------------------
void forget_communicator(MPI_Comm comm);
void forget_datatypes();

// --- the account --------------------------------------------------------------------------------
/// exact: the model serves where the message layer does not tell. Requires install_exact().
enum class Collectives : std::uint8_t { off, model, exact };

/// Begins to count; `world` is the communicator whose ranks are the rows and columns.
void begin(MPI_Comm world, Collectives collectives);
/// Counts nothing more. Rows stay readable.
void end();
/// This rank's row so far, all threads added up. Throws std::bad_alloc.
Row row_so_far();
/// Messages by size and class of call so far, all threads added up.
SizeHistogram size_histogram_so_far();

}  // namespace kith::record
