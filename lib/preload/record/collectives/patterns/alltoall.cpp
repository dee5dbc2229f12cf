#include "record/collectives/patterns/alltoall.hpp"

namespace kith::record {

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

}  // namespace kith::record
