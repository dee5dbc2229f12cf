// What the wrappers call: every function counts what the calling rank itself sent.
//
// All are thread safe, take no lock (but to make or free a persistent request), never fail, and do
// nothing before MPI_Init or after MPI_Finalize. They are called after the MPI call returned
// MPI_SUCCESS, so the arguments are known to be valid; communicators are those that the library
// saw. Collectives count the messages that the calling rank would send in the decomposition of
// record/collectives.
#pragma once

#include <cstdint>

#include "mpi/late_mpi.h"
#include "record/cartesian.hpp"
#include "record/collectives/calls.hpp"
#include "record/counting.hpp"
#include "record/one_sided.hpp"
#include "record/row.hpp"
#include "record/size_histogram.hpp"

namespace kith::record {

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
