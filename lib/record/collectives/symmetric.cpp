// Barrier, Allreduce, Allgather(v), Alltoall(v/w), Reduce_scatter(_block), Scan.
#include <new>
#include <vector>

#include "record/collectives/algorithms.hpp"
#include "record/collectives/model.hpp"
#include "record/record.hpp"

namespace kith::record {
namespace {

constexpr std::uint64_t small_allreduce = 10000;  // total bytes below which latency rules
constexpr std::uint64_t small_allgather = 50000;
constexpr std::uint64_t small_alltoall_block = 200;
constexpr int bruck_alltoall_ranks = 12;

using Blocks = std::vector<std::uint64_t>;

// `total` cut into `size` blocks as evenly as elements allow, the first ones larger.
Blocks even_blocks(int size, std::int64_t count, std::uint64_t element) {
  Blocks blocks(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) {
    const std::int64_t elements = count / size + (i < count % size ? 1 : 0);
    blocks[static_cast<std::size_t>(i)] = static_cast<std::uint64_t>(elements) * element;
  }
  return blocks;
}

Blocks blocks_of(int size, const int counts[], MPI_Datatype datatype) {
  Blocks blocks(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) {
    blocks[static_cast<std::size_t>(i)] = bytes_of(counts[i], datatype);
  }
  return blocks;
}

std::uint64_t sum_of(const Blocks& blocks) {
  std::uint64_t sum = 0;
  for (const std::uint64_t block : blocks) sum += block;
  return sum;
}

// Counting must never fail the program: without memory for the block list the call goes uncounted.
template <class Count>
void unless_out_of_memory(Count&& count) {
  try {
    count();
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace

void barrier(MPI_Comm comm) {
  const auto self = member_of(comm);
  if (!self) return;
  if (is_power_of_two(self->size)) {
    recursive_doubling(self->size, self->rank, 0, *self);
  } else {
    dissemination(self->size, self->rank, 0, *self);
  }
}

void allreduce(MPI_Comm comm, int count, MPI_Datatype datatype) {
  const auto self = member_of(comm);
  if (!self) return;
  const std::uint64_t bytes = bytes_of(count, datatype);
  if (bytes < small_allreduce || count < self->size) {
    recursive_doubling(self->size, self->rank, bytes, *self);
    return;
  }
  unless_out_of_memory([&] {
    const Blocks blocks = even_blocks(self->size, count, size_of(datatype));
    ring_reduce_scatter(self->size, self->rank, blocks, *self);
    ring_allgather(self->size, self->rank, blocks, *self);
  });
}

void allgather(MPI_Comm comm, int recvcount, MPI_Datatype recvtype) {
  const auto self = member_of(comm);
  if (!self) return;
  const std::uint64_t block = bytes_of(recvcount, recvtype);
  if (block * static_cast<std::uint64_t>(self->size) >= small_allgather) {
    unless_out_of_memory([&] {
      const Blocks blocks(static_cast<std::size_t>(self->size), block);
      ring_allgather(self->size, self->rank, blocks, *self);
    });
  } else if (is_power_of_two(self->size)) {
    doubling_allgather(self->size, self->rank, block, *self);
  } else {
    bruck_allgather(self->size, self->rank, block, *self);
  }
}

void allgatherv(MPI_Comm comm, const int recvcounts[], MPI_Datatype recvtype) {
  const auto self = member_of(comm);
  if (!self) return;
  unless_out_of_memory([&] {
    ring_allgather(self->size, self->rank, blocks_of(self->size, recvcounts, recvtype), *self);
  });
}

void alltoall(MPI_Comm comm, int recvcount, MPI_Datatype recvtype) {
  const auto self = member_of(comm);
  if (!self) return;
  const std::uint64_t block = bytes_of(recvcount, recvtype);
  if (block < small_alltoall_block && self->size > bruck_alltoall_ranks) {
    bruck_alltoall(self->size, self->rank, block, *self);
  } else {
    direct_alltoall(
        self->size, self->rank, [&](int) { return block; }, *self);
  }
}

void alltoallv(MPI_Comm comm, const void* sendbuf, const int sendcounts[], MPI_Datatype sendtype,
               const int recvcounts[], MPI_Datatype recvtype) {
  const auto self = member_of(comm);
  if (!self) return;
  // In place, the receive arguments describe what is sent as well.
  const bool in_place = sendbuf == MPI_IN_PLACE;
  const int* const counts = in_place ? recvcounts : sendcounts;
  const MPI_Datatype datatype = in_place ? recvtype : sendtype;
  direct_alltoall(
      self->size, self->rank, [&](int peer) { return bytes_of(counts[peer], datatype); }, *self);
}

void alltoallw(MPI_Comm comm, const void* sendbuf, const int sendcounts[],
               const MPI_Datatype sendtypes[], const int recvcounts[],
               const MPI_Datatype recvtypes[]) {
  const auto self = member_of(comm);
  if (!self) return;
  const bool in_place = sendbuf == MPI_IN_PLACE;
  const int* const counts = in_place ? recvcounts : sendcounts;
  const MPI_Datatype* const datatypes = in_place ? recvtypes : sendtypes;
  direct_alltoall(
      self->size, self->rank, [&](int peer) { return bytes_of(counts[peer], datatypes[peer]); },
      *self);
}

void reduce_scatter(MPI_Comm comm, const int recvcounts[], MPI_Datatype datatype) {
  const auto self = member_of(comm);
  if (!self) return;
  unless_out_of_memory([&] {
    const Blocks blocks = blocks_of(self->size, recvcounts, datatype);
    if (sum_of(blocks) == 0) return;
    ring_reduce_scatter(self->size, self->rank, blocks, *self);
  });
}

void reduce_scatter_block(MPI_Comm comm, int recvcount, MPI_Datatype datatype) {
  const auto self = member_of(comm);
  if (!self) return;
  unless_out_of_memory([&] {
    const Blocks blocks(static_cast<std::size_t>(self->size), bytes_of(recvcount, datatype));
    ring_reduce_scatter(self->size, self->rank, blocks, *self);
  });
}

// Each rank waits for the one before it: a chain.
void scan(MPI_Comm comm, int count, MPI_Datatype datatype) {
  const auto self = member_of(comm);
  if (!self || self->rank + 1 == self->size) return;
  (*self)(self->rank + 1, bytes_of(count, datatype));
}

}  // namespace kith::record
