#include "kith/detail/coordinates.hpp"

namespace kith {

RankCoordinates RankCoordinates::grid(std::span<const std::uint32_t> extents,
                                      const std::vector<bool>& periodic) {
  RankCoordinates coordinates;
  coordinates.dimensions = static_cast<unsigned>(extents.size());
  std::uint64_t ranks = extents.empty() ? 0 : 1;
  for (const std::uint32_t extent : extents) ranks *= extent;
  coordinates.values.resize(ranks * extents.size());
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    std::uint64_t rest = rank;
    for (std::size_t d = extents.size(); d-- > 0;) {
      coordinates.values[rank * extents.size() + d] = static_cast<double>(rest % extents[d]);
      rest /= extents[d];
    }
  }
  if (periodic.empty()) return coordinates;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    coordinates.periods.push_back(periodic[d] ? static_cast<double>(extents[d]) : 0);
  }
  return coordinates;
}

}  // namespace kith
