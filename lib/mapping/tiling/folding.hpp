// How a grid of boxes lies on a grid of nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {

/// One factor of a task dimension: so many places along a machine dimension.
struct Digit {
  std::uint32_t extent = 1;
  std::uint32_t task_dimension = 0;
  std::uint32_t machine_dimension = 0;
  std::uint32_t stride = 1;  ///< nodes along the machine dimension from one place to the next
  /// The digit that runs slower along the same machine dimension, by index; this one runs to and
  /// fro with it, as in a Gray code. Its own index: none does.
  std::uint32_t above = 0;
};

struct Folding {
  std::vector<Digit> digits;                ///< of each task dimension the fastest first
  std::vector<std::uint32_t> node_strides;  ///< of each machine dimension in node numbers
  double cost = 0;                          ///< weight x hops of neighbouring boxes
  bool is_perfect = false;                  ///< neighbouring boxes are one hop apart

  /// Runs to and fro: where one digit carries into the next, it turns round instead of jumping.
  std::uint32_t node_of(const Place& box) const;
};

/// The cheapest of the ways that are tried; nothing where the extents cannot be written as factors
/// of the machine's. Where there are fewer boxes than nodes, factors need only fit. `boxes` has one
/// displacement per dimension, a single step. Compared on at most some 20 thousand boxes, and in so
/// many tries that some 10^6 hops are looked at.
std::optional<Folding> best_folding(const TaskGrid& boxes, const GridNetwork& network);

}  // namespace kith::tiling
