// Smaller graphs that are like the large one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "mapping/multilevel/work_graph.hpp"

namespace kith::multilevel {

/// A graph whose vertices are groups of another one's.
struct Coarse {
  WorkGraph graph;
  std::vector<std::uint32_t> group_of;  ///< by vertex of the finer graph
};

/// Matches vertices that belong together: the heaviest w^2 / (size x size) first come first served
/// in a random order (Holtgrewe, Sanders, Schulz: "Engineering a scalable high quality graph
/// partitioner", IPDPS 2010: expansion*^2); what finds no partner joins one that has a neighbour in
/// common. No group is larger than `most` ranks. `block` (empty or one per vertex): only vertices
/// of one block are matched.
Coarse coarsen(const WorkGraph& graph, std::uint32_t most, Rng& rng,
               std::span<const std::uint32_t> block = {});

}  // namespace kith::multilevel
