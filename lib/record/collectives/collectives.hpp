// What the wrappers of collectives call: each counts the messages that the calling rank would send in
// the decomposition of this folder. Nothing where another source counts (model.hpp: member_of).
#pragma once

#include "mpi/late_mpi.h"

namespace kith::record {

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

}  // namespace kith::record
