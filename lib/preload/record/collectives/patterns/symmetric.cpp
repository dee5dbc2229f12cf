// Barrier, allgather, alltoall, scan: all ranks do the same.
#include "record/collectives/patterns/patterns.hpp"

namespace kith::record {
namespace {

// Bytes of `count` consecutive ranks' blocks from `first` on, around the ring.
std::uint64_t bytes_around(const Place& place, const Blocks& blocks, int first, int count) {
  const int end = first + count;
  if (end <= place.size) return blocks.bytes(first, end);
  return blocks.bytes(first, place.size) + blocks.bytes(0, end - place.size);
}

}  // namespace

void linear_barrier(const Place& place, Send send) {
  if (place.rank != 0) {
    send(0, 0);
    return;
  }
  for (int peer = 1; peer < place.size; ++peer) send(peer, 0);
}

void double_ring_barrier(const Place& place, Send send) {
  for (int round = 0; round < 2; ++round) send(place.next(1), 0);
}

void doubling_barrier(const Place& place, Send send) {
  const int core = power_of_two_within(place.size);
  if (place.rank >= core) {
    send(place.rank - core, 0);
    return;
  }
  for (int step = 1; step < core; step *= 2) send(place.rank ^ step, 0);
  if (place.rank + core < place.size) send(place.rank + core, 0);
}

void dissemination_barrier(const Place& place, Send send) {
  for (int step = 1; step < place.size; step *= 2) send(place.next(step), 0);
}

void tree_barrier(const Place& place, Send send) {
  for (int step = 1; step < place.size; step *= 2) {
    const int partner = place.rank ^ step;
    if ((partner & (step - 1)) != 0 || partner >= place.size) continue;
    send(partner, 0);  // upwards to a lower rank, downwards to a higher one
  }
}

void bruck_allgather(const Place& place, const Blocks& blocks, Send send) {
  for (int step = 1; step < place.size; step *= 2) {
    const int count = std::min(step, place.size - step);
    send(place.previous(step), bytes_around(place, blocks, place.rank, count));
  }
}

void doubling_allgather(const Place& place, const Blocks& blocks, Send send) {
  for (int step = 1; step < place.size; step *= 2) {
    const int begin = subtree_begin(place.rank, step);
    send(place.rank ^ step, blocks.bytes(begin, begin + step));
  }
}

void ring_allgather(const Place& place, const Blocks& blocks, Send send) {
  for (int round = 0; round + 1 < place.size; ++round) {
    send(place.next(1), blocks.bytes(place.previous(round)));
  }
}

void neighbour_exchange_allgather(const Place& place, const Blocks& blocks, Send send) {
  if (place.size % 2 != 0) {
    ring_allgather(place, blocks, send);
    return;
  }
  const bool even = place.rank % 2 == 0;
  const int first = even ? place.next(1) : place.previous(1);
  const int second = even ? place.previous(1) : place.next(1);
  send(first, blocks.bytes(place.rank));
  // The pair of blocks to pass on: at first the own pair, then the one that came last. Pairs arrive
  // from either side in turn, each time two further away.
  const int own_pair = even ? place.rank : place.rank - 1;
  int pair = own_pair;
  int from_first = own_pair;
  int from_second = own_pair;
  for (int round = 1; round < place.size / 2; ++round) {
    const bool to_second = round % 2 == 1;
    send(to_second ? second : first, blocks.bytes(pair, pair + 2));
    const int outward = even == to_second ? place.size - 2 : 2;
    int& last = to_second ? from_second : from_first;
    last = (last + outward) % place.size;
    pair = last;
  }
}

void direct_allgather(const Place& place, std::uint64_t block, Send send) {
  for (int distance = 1; distance < place.size; ++distance) send(place.next(distance), block);
}

void direct_alltoall(const Place& place, std::uint64_t block, Send send) {
  for (int distance = 1; distance < place.size; ++distance) send(place.next(distance), block);
}

void bruck_alltoall(const Place& place, std::uint64_t block, Send send) {
  for (int step = 1; step < place.size; step *= 2) {
    const int whole = place.size / (2 * step) * step;  // distances with this bit, in full periods
    const int rest = std::max(0, place.size % (2 * step) - step);
    send(place.next(step), block * static_cast<std::uint64_t>(whole + rest));
  }
}

void direct_alltoallv(const Place& place, const Blocks& blocks, Empty empty, Send send) {
  for (int distance = 1; distance < place.size; ++distance) {
    const int peer = place.next(distance);
    if (empty == Empty::skipped && blocks.count(peer) == 0) continue;
    send(peer, blocks.bytes(peer));
  }
}

void direct_alltoallw(const Place& place, BytesTo bytes_to, Send send) {
  for (int distance = 1; distance < place.size; ++distance) {
    const int peer = place.next(distance);
    const std::uint64_t bytes = bytes_to(peer);
    if (bytes > 0) send(peer, bytes);
  }
}

void linear_scan(const Place& place, std::uint64_t bytes, Send send) {
  if (place.rank + 1 < place.size) send(place.rank + 1, bytes);
}

void doubling_scan(const Place& place, std::uint64_t bytes, Send send) {
  for (int step = 1; step < place.size; step *= 2) {
    const int partner = place.rank ^ step;
    if (partner < place.size) send(partner, bytes);
  }
}

}  // namespace kith::record
