#include "objective/bounds/grid_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <random>
#include <vector>

namespace kith::bounds {
namespace {

using Steps = std::array<int, 4>;

/// All subsets of a small grid, as bit masks: the least surface of each number of points, from the
/// definition.
class AllSets {
 public:
  explicit AllSets(const GridStencil& stencil) : stencil_(stencil) {
    for (unsigned d = 0; d < stencil.dimensions; ++d) points_ *= stencil.extents[d];
    Steps steps{};
    add_directions(steps, 0);
  }

  std::vector<std::uint64_t> least() const {
    std::vector<std::uint64_t> least(points_ + 1, std::numeric_limits<std::uint64_t>::max());
    for (std::uint32_t set = 0; set < 1U << points_; ++set) {
      const auto size = static_cast<unsigned>(std::popcount(set));
      std::uint64_t surface = 0;
      for (const Direction& direction : directions_) {
        std::uint64_t pairs = 0;
        for (std::uint32_t p = 0; p < points_; ++p) {
          if ((set >> p & 1U) == 0U || direction.target[p] == points_) continue;
          pairs += set >> direction.target[p] & 1U;
        }
        surface += direction.weight * (size - pairs);
      }
      least[size] = std::min(least[size], surface);
    }
    return least;
  }
  std::uint32_t points() const { return points_; }

 private:
  struct Direction {
    std::uint64_t weight;
    std::vector<std::uint32_t> target;  ///< of each point; points_ where there is none
  };

  std::uint64_t weight_of(const Steps& steps) const {
    std::vector<unsigned> moved;
    int most = 0;
    for (unsigned d = 0; d < stencil_.dimensions; ++d) {
      if (steps[d] != 0) moved.push_back(d);
      most = std::max(most, std::abs(steps[d]));
    }
    if (moved.size() == 1) {
      return most == 1 ? stencil_.face[moved[0]] : stencil_.longer[moved[0]];
    }
    if (most > 1 || stencil_.dimensions > 3) return 0;
    if (moved.size() == 3) return stencil_.corner;
    return stencil_.dimensions == 2 ? stencil_.edge[2] : stencil_.edge[3 - moved[0] - moved[1]];
  }

  void add_directions(Steps& steps, unsigned dimension) {
    if (dimension < stencil_.dimensions) {
      for (int step = -2; step <= 2; ++step) {
        steps[dimension] = step;
        add_directions(steps, dimension + 1);
      }
      steps[dimension] = 0;
      return;
    }
    if (steps <= Steps{} || weight_of(steps) == 0) return;
    Direction direction{weight_of(steps), {}};
    for (std::uint32_t p = 0; p < points_; ++p) direction.target.push_back(neighbour(p, steps));
    directions_.push_back(direction);
  }

  std::uint32_t neighbour(std::uint32_t point, const Steps& steps) const {
    std::uint32_t target = 0;
    std::uint32_t stride = 1;
    for (unsigned d = 0; d < stencil_.dimensions; ++d) {
      const int extent = static_cast<int>(stencil_.extents[d]);
      int at = static_cast<int>(point % stencil_.extents[d]) + steps[d];
      if (stencil_.periodic[d]) at = (at + extent) % extent;
      if (at < 0 || at >= extent) return points_;
      target += static_cast<std::uint32_t>(at) * stride;
      stride *= stencil_.extents[d];
      point /= stencil_.extents[d];
    }
    return target;
  }

  GridStencil stencil_;
  std::uint32_t points_ = 1;
  std::vector<Direction> directions_;
};

GridStencil stencil_of(std::vector<std::uint32_t> extents, bool periodic = false) {
  GridStencil stencil;
  stencil.dimensions = static_cast<unsigned>(extents.size());
  std::ranges::copy(extents, stencil.extents.begin());
  for (std::size_t d = 0; d < extents.size(); ++d) {
    stencil.periodic[d] = periodic && extents[d] > 2;
    stencil.face[d] = 1;
  }
  return stencil;
}

GridStencil random_stencil(std::mt19937_64& random) {
  const std::vector<std::vector<std::uint32_t>> grids{
      {9},       {3, 3},    {4, 3},    {4, 4},    {2, 7},    {5, 3},       {12},      {3, 5},
      {2, 2, 3}, {3, 2, 2}, {2, 2, 4}, {2, 3, 2}, {1, 4, 3}, {2, 2, 2, 2}, {3, 2, 2}, {4, 4}};
  GridStencil stencil = stencil_of(grids[random() % grids.size()]);
  const auto weight = [&] { return random() % 3 == 0 ? 1 : random() % 30; };
  const bool has_longer = random() % 4 == 0;
  for (unsigned d = 0; d < stencil.dimensions; ++d) {
    stencil.periodic[d] = stencil.extents[d] > 2 && random() % 3 == 0;
    stencil.face[d] = weight();
    if (has_longer && !stencil.periodic[d]) stencil.longer[d] = weight();
  }
  if (random() % 2 == 0 || stencil.dimensions == 1 || stencil.dimensions == 4) return stencil;
  if (stencil.dimensions == 2) stencil.edge[2] = weight() / 2;
  if (stencil.dimensions == 3) {
    for (auto& edge : stencil.edge) edge = weight() / 2;
    stencil.corner = weight() / 4;
  }
  return stencil;
}

TEST(Isoperimetry, IsBelowEverySetOfPoints) {
  std::mt19937_64 random(17);
  unsigned exact = 0;
  unsigned sizes = 0;
  for (int round = 0; round < 100; ++round) {
    const GridStencil stencil = random_stencil(random);
    const AllSets sets(stencil);
    const auto least = sets.least();
    const Isoperimetry bound(stencil, sets.points());
    for (std::uint32_t n = 1; n <= sets.points(); ++n) {
      ASSERT_LE(bound.least_surface(n), least[n]) << "round " << round << ", " << n << " points";
      exact += bound.least_surface(n) == least[n] ? 1 : 0;
      ++sizes;
      for (std::uint32_t more = n; more <= sets.points(); ++more) {
        ASSERT_LE(bound.least_surface(n, more), least[more]) << n << " to " << more;
      }
      const auto [numerator, denominator] = bound.least_per_point(n);
      for (std::uint32_t fewer = 1; fewer <= n; ++fewer) {
        ASSERT_LE(numerator * fewer, least[fewer] * denominator);
      }
    }
  }
  EXPECT_GT(exact, sizes / 2) << "of " << sizes;
}

// Heavy diagonals pay for layers that get smaller upwards.
TEST(Isoperimetry, IsBelowEverySetWithHeavyDiagonals) {
  for (const auto& [face, edge, corner] : {std::array<std::uint64_t, 3>{1, 1, 1}, {3, 3, 2}}) {
    for (const std::vector<std::uint32_t>& extents :
         {std::vector<std::uint32_t>{3, 3, 2}, {3, 2, 3}, {2, 2, 4}}) {
      GridStencil stencil = stencil_of(extents);
      stencil.face.fill(face);
      stencil.edge.fill(edge);
      stencil.corner = corner;
      const AllSets sets(stencil);
      const auto least = sets.least();
      const Isoperimetry bound(stencil, sets.points());
      for (std::uint32_t n = 1; n <= sets.points(); ++n) {
        ASSERT_LE(bound.least_surface(n), least[n]) << n << " points";
      }
    }
  }
}

TEST(Isoperimetry, IsWhatCubesHave) {
  const Isoperimetry space(stencil_of({100, 100, 100}), 4096);
  EXPECT_EQ(space.least_surface(64), 48U);
  EXPECT_EQ(space.least_surface(32), 32U);     // 2x4x4; a real number would be 30.2
  EXPECT_EQ(space.least_surface(128), 79U);    // 5x5x5 and 3
  EXPECT_EQ(space.least_surface(2048), 490U);  // 12x13x13 and 20
  const Isoperimetry large(stencil_of({100, 100, 100}), 64000);
  EXPECT_EQ(large.least_surface(64000), 4800U);
  const Isoperimetry plane(stencil_of({100, 100}), 128);
  EXPECT_EQ(plane.least_surface(128), 23U);
  const Isoperimetry thin(stencil_of({2, 100, 100}), 64);
  EXPECT_EQ(thin.least_surface(64), 32U + 2 * 12);  // two layers
}

// Two rows of a torus are closed: only the steps across are cut.
TEST(Isoperimetry, KnowsClosedLines) {
  const Isoperimetry torus(stencil_of({8, 8}, true), 64);
  EXPECT_EQ(torus.least_surface(16), 8U);
  EXPECT_EQ(torus.least_surface(32), 8U);
  EXPECT_EQ(torus.least_surface(64), 0U);
  const Isoperimetry open(stencil_of({8, 8}), 64);
  EXPECT_EQ(open.least_surface(32), 12U);
}

// Brass: the king's graph has at most 4 n - sqrt(28 n - 12) pairs among n squares.
TEST(Isoperimetry, HasOctagonsWithDiagonals) {
  GridStencil king = stencil_of({100, 100});
  king.edge[2] = 1;
  const Isoperimetry plane(king, 500);
  for (std::uint64_t n = 1; n <= 500; ++n) {
    std::uint64_t root = 0;
    while (root * root < 28 * n - 12) ++root;
    ASSERT_EQ(plane.least_surface(n), root) << n;
  }
}

}  // namespace
}  // namespace kith::bounds
