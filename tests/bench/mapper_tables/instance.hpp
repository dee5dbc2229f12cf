// What is mapped onto what: the inputs of all tables.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kith/detail/coordinates.hpp"
#include "kith/detail/generate.hpp"
#include "kith/traffic.hpp"

namespace kith::bench {

/// A pattern on a machine. Neither is in memory until a process that is measured makes it.
struct Instance {
  std::string name;
  std::uint32_t ranks = 0;
  std::function<TrafficMatrix()> matrix;
  std::string machine;                           ///< a SPEC
  std::function<RankCoordinates()> coordinates;  ///< empty: not known
};

/// How a pattern is made, so that it needs no memory before.
struct PatternMaker {
  std::uint32_t ranks;
  std::function<std::unique_ptr<Pattern>()> make;
};

// As kith/detail/generate.hpp describes them. Grids have row-major ranks.
PatternMaker grid(std::vector<std::uint32_t> extents, unsigned points, bool periodic = false,
                  std::vector<Weight> weights = {1});
/// 3D with 26 neighbours, 100 across a face, 10 an edge, 1 a corner.
PatternMaker halo(std::vector<std::uint32_t> extents, bool periodic = false);
PatternMaker geometric(std::uint32_t ranks, std::uint64_t seed);
PatternMaker mesh(std::uint32_t ranks, std::uint64_t seed);
PatternMaker rmat(unsigned scale, std::uint64_t draws, std::uint64_t seed);
PatternMaker dense(std::uint32_t ranks, std::uint64_t seed);
PatternMaker cg(std::uint32_t ranks, Weight weight);
PatternMaker lu(std::uint32_t ranks, Weight weight);
PatternMaker leanmd(std::array<std::uint32_t, 3> cells);
PatternMaker permuted(PatternMaker inner, std::uint64_t seed);

/// Each weight times a number from Pareto's distribution of exponent 1.2, at most 10^5.
PatternMaker heavy_tailed(PatternMaker inner, std::uint64_t seed);
/// Ranks in teams of `size`, numbered one after the other: all pairs of a team, weight 1, and a
/// ring of the teams' first ranks, weight 10.
PatternMaker teams(std::uint32_t count, std::uint32_t size);

Instance instance(std::string name, PatternMaker pattern, std::string machine);
/// The sum of both patterns, of equally many ranks.
Instance mixture(std::string name, PatternMaker a, PatternMaker b, std::string machine);

}  // namespace kith::bench
