#include "record/collectives/patterns/scan.hpp"

namespace kith::record {

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
