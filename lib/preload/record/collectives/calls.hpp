// What the wrappers of collectives call: each counts the messages that the calling rank would send
// in the decomposition of this folder. Nothing where another source counts (library.hpp:
// member_of). Arguments are those of the MPI call; those that MPI calls not significant at a rank
// are not looked at there. Counts are 64 bits wide, arrays of them as the call has them: calls with
// large counts (MPI_Bcast_c) are counted by the same functions.
#pragma once

#include <cstdint>

#include "mpi/late_mpi.h"
#include "record/collectives/patterns/message.hpp"

namespace kith::record {

enum class Timing : std::uint8_t { blocking, nonblocking, persistent };

/// The communicator of a collective, and how it was called.
struct CollectiveOn {
  MPI_Comm comm;
  Timing timing = Timing::blocking;
  MPI_Request request = MPI_Request{};  ///< unless it is blocking; a persistent one's starts count

  CollectiveOn(MPI_Comm on) : comm(on) {}  // NOLINT(google-explicit-constructor)
  CollectiveOn(MPI_Comm on, Timing how) : comm(on), timing(how) {}
  CollectiveOn(MPI_Comm on, MPI_Request prepared, Timing how)
      : comm(on), timing(how), request(prepared) {}
};

inline CollectiveOn nonblocking(MPI_Comm comm, MPI_Request request) {
  return {comm, request, Timing::nonblocking};
}
inline CollectiveOn persistent(MPI_Comm comm, MPI_Request request) {
  return {comm, request, Timing::persistent};
}

void barrier(const CollectiveOn& on);
void bcast(const CollectiveOn& on, int root, std::int64_t count, MPI_Datatype datatype);
void reduce(const CollectiveOn& on, int root, std::int64_t count, MPI_Datatype datatype, MPI_Op op);
void allreduce(const CollectiveOn& on, const void* sendbuf, std::int64_t count,
               MPI_Datatype datatype, MPI_Op op);
void gather(const CollectiveOn& on, int root, const void* sendbuf, std::int64_t sendcount,
            MPI_Datatype sendtype, std::int64_t recvcount, MPI_Datatype recvtype);
void gatherv(const CollectiveOn& on, int root, std::int64_t sendcount, MPI_Datatype sendtype);
void scatter(const CollectiveOn& on, int root, std::int64_t sendcount, MPI_Datatype sendtype,
             const void* recvbuf, std::int64_t recvcount, MPI_Datatype recvtype);
void scatterv(const CollectiveOn& on, int root, Counts sendcounts, MPI_Datatype sendtype,
              std::int64_t recvcount, MPI_Datatype recvtype);
void allgather(const CollectiveOn& on, const void* sendbuf, std::int64_t sendcount,
               MPI_Datatype sendtype, std::int64_t recvcount, MPI_Datatype recvtype);
void allgatherv(const CollectiveOn& on, const void* sendbuf, std::int64_t sendcount,
                MPI_Datatype sendtype, Counts recvcounts, MPI_Datatype recvtype);
void alltoall(const CollectiveOn& on, const void* sendbuf, std::int64_t sendcount,
              MPI_Datatype sendtype, std::int64_t recvcount, MPI_Datatype recvtype);
void alltoallv(const CollectiveOn& on, const void* sendbuf, Counts sendcounts,
               MPI_Datatype sendtype, Counts recvcounts, MPI_Datatype recvtype);
void alltoallw(const CollectiveOn& on, const void* sendbuf, Counts sendcounts,
               const MPI_Datatype sendtypes[], Counts recvcounts, const MPI_Datatype recvtypes[]);
void reduce_scatter(const CollectiveOn& on, Counts recvcounts, MPI_Datatype datatype, MPI_Op op);
void reduce_scatter_block(const CollectiveOn& on, std::int64_t recvcount, MPI_Datatype datatype,
                          MPI_Op op);
void scan(const CollectiveOn& on, std::int64_t count, MPI_Datatype datatype);
void exscan(const CollectiveOn& on, std::int64_t count, MPI_Datatype datatype);

/// Along the topology of the communicator: one message to each destination, self included.
void neighbor_allgather(const CollectiveOn& on, std::int64_t sendcount, MPI_Datatype sendtype);
void neighbor_allgatherv(const CollectiveOn& on, std::int64_t sendcount, MPI_Datatype sendtype);
void neighbor_alltoall(const CollectiveOn& on, std::int64_t sendcount, MPI_Datatype sendtype);
void neighbor_alltoallv(const CollectiveOn& on, Counts sendcounts, MPI_Datatype sendtype);
void neighbor_alltoallw(const CollectiveOn& on, Counts sendcounts, const MPI_Datatype sendtypes[]);

/// A communicator was made from `from` (by dup, create, or with a topology); with its ranks sorted
/// by colour and key first. Between two groups and in other libraries than Open MPI not counted.
void communicator_made(MPI_Comm from);
/// The same for one whose making goes on after the call (MPI_Comm_idup).
void duplicate_begun(MPI_Comm from);
void communicator_split(MPI_Comm from);

}  // namespace kith::record
