// Where each rank's work lies in the application's own space: a grid, a mesh, a set of points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kith {

/// Points, one per rank. Plain data.
struct RankCoordinates {
  unsigned dimensions = 0;
  /// ranks x dimensions, row-major: the place of rank r is values[r * dimensions] ...; finite.
  std::vector<double> values;
  /// One per dimension: the length after which the space repeats; 0: it does not. Empty: nowhere.
  std::vector<double> periods;

  std::uint32_t ranks() const {
    return dimensions == 0 ? 0 : static_cast<std::uint32_t>(values.size() / dimensions);
  }
  std::span<const double> of(std::uint32_t rank) const {
    return std::span(values).subspan(std::size_t{rank} * dimensions, dimensions);
  }

  /// Ranks row-major in a grid, last extent fastest, as MPI_Cart_create numbers them. `periodic`
  /// empty or one per extent.
  static RankCoordinates grid(std::span<const std::uint32_t> extents,
                              const std::vector<bool>& periodic = {});
};

}  // namespace kith
