// What the wrappers call: every function counts what the calling rank itself sent.
//
// All are thread safe, take no lock (but for persistent requests), never fail, and do nothing
// before MPI_Init or after MPI_Finalize. They are called after the MPI call returned MPI_SUCCESS,
// so the arguments are known to be valid; communicators are those that the library saw. Collectives
// count the messages that the calling rank would send in the decomposition of record/collectives.
#pragma once

#include <cstdint>

#include "mpi/late_mpi.h"
#include "record/row.hpp"

namespace kith::record {

// --- point-to-point ---------------------------------------------------------------------------
void sent(MPI_Comm comm, int dest, std::int64_t count, MPI_Datatype datatype);
/// A persistent send was made; `started` counts it each time.
void send_prepared(MPI_Comm comm, int dest, std::int64_t count, MPI_Datatype datatype,
                   MPI_Request request);
void started(MPI_Request request);
void request_freed(MPI_Request request);

// --- collectives ------------------------------------------------------------------------------
void barrier(MPI_Comm comm);
void bcast(MPI_Comm comm, int root, int count, MPI_Datatype datatype);
void reduce(MPI_Comm comm, int root, int count, MPI_Datatype datatype);
void allreduce(MPI_Comm comm, int count, MPI_Datatype datatype);
void gather(MPI_Comm comm, int root, int sendcount, MPI_Datatype sendtype);
void gatherv(MPI_Comm comm, int root, int sendcount, MPI_Datatype sendtype);
void scatter(MPI_Comm comm, int root, int sendcount, MPI_Datatype sendtype, int recvcount,
             MPI_Datatype recvtype);
void scatterv(MPI_Comm comm, int root, const int sendcounts[], MPI_Datatype sendtype);
void allgather(MPI_Comm comm, int recvcount, MPI_Datatype recvtype);
void allgatherv(MPI_Comm comm, const int recvcounts[], MPI_Datatype recvtype);
void alltoall(MPI_Comm comm, int recvcount, MPI_Datatype recvtype);
void alltoallv(MPI_Comm comm, const void* sendbuf, const int sendcounts[], MPI_Datatype sendtype,
               const int recvcounts[], MPI_Datatype recvtype);
void alltoallw(MPI_Comm comm, const void* sendbuf, const int sendcounts[],
               const MPI_Datatype sendtypes[], const int recvcounts[],
               const MPI_Datatype recvtypes[]);
void reduce_scatter(MPI_Comm comm, const int recvcounts[], MPI_Datatype datatype);
void reduce_scatter_block(MPI_Comm comm, int recvcount, MPI_Datatype datatype);
void scan(MPI_Comm comm, int count, MPI_Datatype datatype);

// --- handles that are about to be reused --------------------------------------------------------
void forget_communicators();
void forget_datatypes();

// --- the account --------------------------------------------------------------------------------
enum class Collectives : std::uint8_t { off, model };

/// Begins to count; `world` is the communicator whose ranks are the rows and columns.
void begin(MPI_Comm world, Collectives collectives);
/// Counts nothing more. Rows stay readable.
void end();
/// This rank's row so far, all threads added up. Throws std::bad_alloc.
Row row_so_far();
/// Bytes that this rank sent to processes outside the world.
std::uint64_t foreign_bytes();

}  // namespace kith::record
