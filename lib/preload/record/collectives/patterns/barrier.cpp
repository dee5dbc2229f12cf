#include "record/collectives/patterns/barrier.hpp"

namespace kith::record {

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

}  // namespace kith::record
