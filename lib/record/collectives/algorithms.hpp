// Message patterns of the classic collective algorithms, from one rank's point of view.
//
// Each calls send(peer, bytes) once per message that rank `rank` of `size` sends; peers are ranks
// of the same communicator. No MPI here: the unit tests run all ranks in one process. Sources:
// Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH"
// (2005); Pjesivac-Grbovic et al., "Performance Analysis of MPI Collective Operations" (2005).
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace kith::record {

inline bool is_power_of_two(int n) {
  return std::has_single_bit(static_cast<unsigned>(n));
}

/// Position relative to the root, and back.
struct Relative {
  int size;
  int root;
  int of(int rank) const { return (rank - root + size) % size; }
  int rank(int position) const { return (position + root) % size; }
};

// --- from and to a root -------------------------------------------------------------------------

/// Binomial tree in which a node's parent lacks its highest bit: the root's children are 1, 2, 4,
/// ...
template <class Send>
void binomial_broadcast(int size, int rank, int root, std::uint64_t bytes, Send&& send) {
  const Relative relative{size, root};
  const int own = relative.of(rank);
  int step = 1;
  while (step <= own) step *= 2;
  for (; own + step < size; step *= 2) send(relative.rank(own + step), bytes);
}

/// Each rank hands everything to the next, the root first.
template <class Send>
void chain_broadcast(int size, int rank, int root, std::uint64_t bytes, Send&& send) {
  const Relative relative{size, root};
  const int own = relative.of(rank);
  if (own + 1 < size) send(relative.rank(own + 1), bytes);
}

/// Binomial tree in which a node's parent lacks its lowest bit: combined values travel to the root.
template <class Send>
void binomial_reduce(int size, int rank, int root, std::uint64_t bytes, Send&& send) {
  const Relative relative{size, root};
  const int own = relative.of(rank);
  if (own != 0) send(relative.rank(own & (own - 1)), bytes);
}

/// How many ranks lie below `position` (itself included) in that tree.
inline int binomial_subtree(int size, int position) {
  const int span = position == 0 ? size : position & -position;
  return span < size - position ? span : size - position;
}

/// Every node forwards its whole subtree's blocks to its parent.
template <class Send>
void binomial_gather(int size, int rank, int root, std::uint64_t block, Send&& send) {
  const Relative relative{size, root};
  const int own = relative.of(rank);
  if (own == 0) return;
  send(relative.rank(own & (own - 1)),
       block * static_cast<std::uint64_t>(binomial_subtree(size, own)));
}

/// Every node sends each child the blocks of the child's subtree.
template <class Send>
void binomial_scatter(int size, int rank, int root, std::uint64_t block, Send&& send) {
  const Relative relative{size, root};
  const int own = relative.of(rank);
  const int reach = own == 0 ? size : own & -own;
  for (int step = 1; step < reach && own + step < size; step *= 2) {
    const int child = own + step;
    send(relative.rank(child), block * static_cast<std::uint64_t>(binomial_subtree(size, child)));
  }
}

// --- everybody with everybody -------------------------------------------------------------------

/// Partners at distance 1, 2, 4, ...; ranks beyond the largest power of two hand in and get back.
template <class Send>
void recursive_doubling(int size, int rank, std::uint64_t bytes, Send&& send) {
  const int core = static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
  const int extra = size - core;
  // The first 2 x extra ranks pair up; the even one of each pair hands its value to the odd one.
  int position = rank - extra;
  if (rank < 2 * extra) {
    if (rank % 2 == 0) {
      send(rank + 1, bytes);
      return;
    }
    position = rank / 2;
  }
  for (int step = 1; step < core; step *= 2) {
    const int partner = position ^ step;
    send(partner < extra ? partner * 2 + 1 : partner + extra, bytes);
  }
  if (rank < 2 * extra) send(rank - 1, bytes);
}

/// Sends to rank + 1, + 2, + 4, ...: everybody has heard of everybody after log2(size) rounds.
template <class Send>
void dissemination(int size, int rank, std::uint64_t bytes, Send&& send) {
  for (int step = 1; step < size; step *= 2) send((rank + step) % size, bytes);
}

/// Allgather by doubling exchanged blocks, `size` a power of two.
template <class Send>
void doubling_allgather(int size, int rank, std::uint64_t block, Send&& send) {
  for (int step = 1; step < size; step *= 2) {
    send(rank ^ step, block * static_cast<std::uint64_t>(step));
  }
}

/// Bruck's allgather: min(step, size - step) blocks to rank - step.
template <class Send>
void bruck_allgather(int size, int rank, std::uint64_t block, Send&& send) {
  for (int step = 1; step < size; step *= 2) {
    const int blocks = step < size - step ? step : size - step;
    send((rank - step + size) % size, block * static_cast<std::uint64_t>(blocks));
  }
}

/// Ring allgather: in round k each rank passes block (rank - k) on to its right neighbour.
/// `blocks` gives each rank's block in bytes, length `size`.
template <class Send>
void ring_allgather(int size, int rank, std::span<const std::uint64_t> blocks, Send&& send) {
  for (int round = 0; round + 1 < size; ++round) {
    send((rank + 1) % size, blocks[static_cast<std::size_t>((rank - round + size) % size)]);
  }
}

/// Ring reduce-scatter: in round k each rank passes the partial sum of block (rank - k - 1) on.
template <class Send>
void ring_reduce_scatter(int size, int rank, std::span<const std::uint64_t> blocks, Send&& send) {
  for (int round = 0; round + 1 < size; ++round) {
    const int block = (rank - round - 1 + 2 * size) % size;
    send((rank + 1) % size, blocks[static_cast<std::size_t>(block)]);
  }
}

/// Bruck's alltoall: in the round of bit k, all blocks whose distance has that bit go to rank +
/// 2^k.
template <class Send>
void bruck_alltoall(int size, int rank, std::uint64_t block, Send&& send) {
  for (int step = 1; step < size; step *= 2) {
    std::uint64_t blocks = 0;
    for (int distance = 1; distance < size; ++distance) blocks += (distance & step) != 0 ? 1 : 0;
    send((rank + step) % size, block * blocks);
  }
}

/// A block for each other rank, in order of distance.
template <class Send, class BlockFor>
void direct_alltoall(int size, int rank, BlockFor&& block_for, Send&& send) {
  for (int distance = 1; distance < size; ++distance) {
    const int peer = (rank + distance) % size;
    send(peer, block_for(peer));
  }
}

}  // namespace kith::record
