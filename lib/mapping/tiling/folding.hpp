// How a grid of boxes lies on a grid of nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kith/network_machine.hpp"
#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {

/// One factor of a task dimension: so many places along a machine dimension.
struct Digit {
  std::uint32_t extent = 1;
  std::uint32_t task_dimension = 0;
  std::uint32_t machine_dimension = 0;
  std::uint32_t stride = 1;  ///< nodes along the machine dimension from one place to the next
};

struct Folding {
  std::vector<Digit> digits;                ///< of each task dimension the fastest first
  std::vector<std::uint32_t> node_strides;  ///< of each machine dimension in node numbers
  double cost = 0;                          ///< weight x hops of neighbouring boxes

  /// Runs to and fro: where one digit carries into the next, it turns round instead of jumping.
  std::uint32_t node_of(const Place& box) const;
};

/// The cheapest of the ways that are tried; nothing where the extents cannot be written as factors
/// of the machine's. `boxes` has one displacement per dimension, a single step. O(tries x nodes x
/// dimensions), of so many tries that this stays below some 10^7.
std::optional<Folding> best_folding(const TaskGrid& boxes, const GridNetwork& network);

}  // namespace kith::tiling
