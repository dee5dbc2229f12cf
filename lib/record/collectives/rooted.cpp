// Bcast, Reduce, Gather(v), Scatter(v).
#include "record/collectives/algorithms.hpp"
#include "record/collectives/model.hpp"
#include "record/record.hpp"

namespace kith::record {
namespace {

constexpr std::uint64_t small_broadcast = 2048;      // below: a tree; above: a pipelined chain
constexpr std::uint64_t gather_tree_block = 1024;    // trees pay while blocks are small
constexpr std::uint64_t gather_direct_block = 6000;  // from here on each rank sends to the root
constexpr std::uint64_t scatter_tree_block = 300;
constexpr int gather_tree_ranks = 10;
constexpr int gather_tree_many_ranks = 60;
constexpr int scatter_tree_ranks = 10;

bool gathers_by_tree(int size, std::uint64_t block) {
  if (block > gather_direct_block) return false;
  return size > gather_tree_many_ranks || (size > gather_tree_ranks && block < gather_tree_block);
}

}  // namespace

void bcast(MPI_Comm comm, int root, int count, MPI_Datatype datatype) {
  const auto self = member_of(comm);
  if (!self) return;
  const std::uint64_t bytes = bytes_of(count, datatype);
  if (bytes < small_broadcast) {
    binomial_broadcast(self->size, self->rank, root, bytes, *self);
  } else {
    chain_broadcast(self->size, self->rank, root, bytes, *self);
  }
}

void reduce(MPI_Comm comm, int root, int count, MPI_Datatype datatype) {
  const auto self = member_of(comm);
  if (!self) return;
  binomial_reduce(self->size, self->rank, root, bytes_of(count, datatype), *self);
}

void gather(MPI_Comm comm, int root, int sendcount, MPI_Datatype sendtype) {
  const auto self = member_of(comm);
  if (!self || self->rank == root) return;  // the root only receives
  const std::uint64_t block = bytes_of(sendcount, sendtype);
  if (gathers_by_tree(self->size, block)) {
    binomial_gather(self->size, self->rank, root, block, *self);
  } else {
    (*self)(root, block);
  }
}

void gatherv(MPI_Comm comm, int root, int sendcount, MPI_Datatype sendtype) {
  const auto self = member_of(comm);
  if (!self || self->rank == root) return;
  (*self)(root, bytes_of(sendcount, sendtype));
}

void scatter(MPI_Comm comm, int root, int sendcount, MPI_Datatype sendtype, int recvcount,
             MPI_Datatype recvtype) {
  const auto self = member_of(comm);
  if (!self) return;
  const bool is_root = self->rank == root;  // only the root's send arguments count, and vice versa
  const std::uint64_t block =
      is_root ? bytes_of(sendcount, sendtype) : bytes_of(recvcount, recvtype);
  if (self->size > scatter_tree_ranks && block < scatter_tree_block) {
    binomial_scatter(self->size, self->rank, root, block, *self);
  } else if (is_root) {
    direct_alltoall(
        self->size, self->rank, [&](int) { return block; }, *self);
  }
}

void scatterv(MPI_Comm comm, int root, const int sendcounts[], MPI_Datatype sendtype) {
  const auto self = member_of(comm);
  if (!self || self->rank != root) return;
  direct_alltoall(
      self->size, self->rank, [&](int peer) { return bytes_of(sendcounts[peer], sendtype); },
      *self);
}

}  // namespace kith::record
