#include "kith/detail/generate.hpp"

namespace kith {

TrafficMatrix to_matrix(const Pattern& pattern) {
  std::uint64_t pairs = 0;
  pattern.for_each_pair([&](Rank, Rank, Weight) { ++pairs; });
  TrafficMatrixBuilder builder(pattern.ranks(), 2 * pairs);
  pattern.for_each_pair([&](Rank a, Rank b, Weight weight) {
    builder.add(a, b, weight);
    builder.add(b, a, weight);
  });
  return builder.build();
}

}  // namespace kith
