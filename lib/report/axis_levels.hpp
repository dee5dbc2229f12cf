// What lies along the axes of a heatmap: the groups, switches and hosts of the machine, and how
// many ranks of an order each of them holds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kith/machine.hpp"
#include "report/heat_level.hpp"

namespace kith {

/// Objects of a machine that have consecutive places: switches, planes of a grid, hosts, sockets.
struct AxisLevel {
  std::string name;           ///< of one of them
  std::uint64_t objects = 0;  ///< how many the machine has, at least 2
  bool is_host = false;
  unsigned depth = 0;  ///< of a tree; else not used
};

/// Top down, each with more objects than the one before. Single slots are no level unless each of
/// them is a host.
std::vector<AxisLevel> axis_levels(const Machine& machine);

/// Objects side by side that hold equally many ranks.
struct AxisRun {
  std::uint64_t skipped = 0;  ///< objects without a rank before them
  std::uint64_t objects = 0;
  std::uint64_t ranks = 0;  ///< of each of the objects

  bool operator==(const AxisRun&) const = default;
};

/// How the ranks along an axis, `places` ascending, spread over the objects of a level. Empty where
/// that takes more than `most` runs. O(places).
std::vector<AxisRun> runs_along(const Machine& machine, const AxisLevel& level,
                                std::span<const std::uint32_t> places, std::size_t most);

}  // namespace kith
