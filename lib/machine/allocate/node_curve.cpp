#include <algorithm>
#include <numeric>

#include "kith/allocation.hpp"
#include "kith/network_machine.hpp"

namespace kith {
namespace {

/// Dimensions in the order in which the snake varies them, fastest first: by extent, of equal ones
/// the last first.
std::vector<std::size_t> fastest_first(std::span<const std::uint32_t> extents) {
  std::vector<std::size_t> order(extents.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t d) { return extents[d]; });
  return order;
}

}  // namespace

std::vector<std::uint32_t> node_curve(const Machine& machine) {
  std::vector<std::uint32_t> curve(machine.nodes());
  const NetworkMachine* network = machine.as_network();
  const GridNetwork* grid = network == nullptr ? nullptr : network->network().as_grid();
  if (grid == nullptr) {
    std::iota(curve.begin(), curve.end(), 0U);
    return curve;
  }
  const auto extents = grid->extents();
  const auto order = fastest_first(extents);
  std::vector<std::uint32_t> at(extents.size(), 0);
  std::vector<bool> backwards(extents.size(), false);
  for (std::uint32_t& node : curve) {
    node = grid->node_at(at);
    // One step along the fastest dimension that has room; those that have none turn round.
    for (const std::size_t d : order) {
      const bool at_end = backwards[d] ? at[d] == 0 : at[d] + 1 == extents[d];
      if (!at_end) {
        at[d] = backwards[d] ? at[d] - 1 : at[d] + 1;
        break;
      }
      backwards[d] = !backwards[d];
    }
  }
  return curve;
}

}  // namespace kith
