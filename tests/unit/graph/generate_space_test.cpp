// Patterns of points in space.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/rng.hpp"
#include "kith/detail/generate.hpp"
#include "unit/graph/generated_pairs.hpp"

namespace kith {
namespace {

using testing::collect;
using testing::Pairs;

TEST(GenerateSpace, GeometricMatchesItsDefinition) {
  for (const std::uint32_t n : {1U, 3U, 40U, 500U}) {
    Rng rng(9);
    std::vector<double> x(n);
    std::vector<double> y(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      x[i] = rng.uniform();
      y[i] = rng.uniform();
    }
    const double radius = std::sqrt(16.0 / (std::numbers::pi * n));
    Pairs truth;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = i + 1; j < n; ++j) {
        if (std::hypot(x[i] - x[j], y[i] - y[j]) <= radius) truth[{i, j}] = 1 + rng.below(1000);
      }
    }
    const auto pattern = make_geometric(n, 9);
    EXPECT_EQ(collect(*pattern), truth);
    EXPECT_EQ(collect(*pattern), truth) << "the second pass differs from the first";
  }
}

TEST(GenerateSpace, GeometricDegreesAreAboutSixteen) {
  std::uint64_t pairs = 0;
  make_geometric(4096, 2)->for_each_pair([&](Rank, Rank, Weight) { ++pairs; });
  EXPECT_GT(2.0 * static_cast<double>(pairs) / 4096, 14);
  EXPECT_LT(2.0 * static_cast<double>(pairs) / 4096, 17);
}

/// Neighbours in an unstructured mesh, by testing all points against all pairs.
Pairs mesh_by_definition(std::uint32_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::array<double, 3>> points(n);
  for (auto& point : points) {
    for (double& coordinate : point) coordinate = rng.uniform();
  }
  const double longest = 3 / std::cbrt(n);
  Pairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      std::array<double, 3> middle{};
      for (unsigned d = 0; d < 3; ++d) middle[d] = (points[i][d] + points[j][d]) / 2;
      const auto distance = [](const auto& a, const auto& b) {
        return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      };
      const double length = distance(points[i], points[j]);
      bool neighbours = length <= longest;
      for (std::uint32_t k = 0; k < n && neighbours; ++k) {
        neighbours = k == i || k == j || distance(points[k], middle) >= length / 2;
      }
      if (neighbours) pairs[{i, j}] = 1 + rng.below(1000);
    }
  }
  return pairs;
}

TEST(GenerateSpace, MeshesMatchTheirDefinition) {
  for (const std::uint32_t n : {1U, 2U, 5U, 60U, 300U}) {
    const auto pattern = make_mesh(n, 7);
    EXPECT_EQ(collect(*pattern), mesh_by_definition(n, 7));
    EXPECT_EQ(collect(*pattern), mesh_by_definition(n, 7)) << "the second pass differs";
  }
}

}  // namespace
}  // namespace kith
