#include "record/collectives/patterns/allgather.hpp"

namespace kith::record {
namespace {

// Bytes of `count` consecutive ranks' blocks from `first` on, around the ring.
std::uint64_t bytes_around(const Place& place, const Blocks& blocks, int first, int count) {
  const int end = first + count;
  if (end <= place.size) return blocks.bytes(first, end);
  return blocks.bytes(first, place.size) + blocks.bytes(0, end - place.size);
}

}  // namespace

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

}  // namespace kith::record
