// What no mapping can be below: how far from the optimum an answer can be at most.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kith/detail/structure.hpp"
#include "kith/machine.hpp"
#include "kith/objective.hpp"
#include "kith/traffic.hpp"

namespace kith {

struct LowerBound {
  Quantity value;
  std::string reason;  ///< "isoperimetric, 3D 7-point stencil 16x16x16, non-periodic"
};

/// A bound that an order exceeds by a larger share says nothing of the order.
constexpr double telling_gap = 0.1;

/// No mapping of at most `capacity` ranks to a slot has a lower objective. The traffic that must
/// cross each level of the machine is bounded on its own, by the best of
/// - each rank's heaviest partners, of which so many can be near;
/// - the number of pairs that fit into objects;
/// - where the ranks are a grid, the surface that so many points have at least (trees, and networks
///   of nodes with several slots).
/// `structure`: what find_grid_structure() says of the graph, where that is known already; null: it
/// is looked for. Nothing where no bound is known for the machine. Deterministic. O(edges log
/// degree) beside the structure; for grids up to some 50 ms more. Throws Error (input) beyond 64
/// bits.
std::optional<LowerBound> objective_lower_bound(
    const TrafficGraph& graph, const Machine& machine, Objective objective, std::uint32_t capacity,
    const std::optional<GridStructure>* structure = nullptr);

/// The same of Metrics::network_time, where the machine is a tree: of what must cross each level of
/// the network, the links of that level carry at least their mean. `wire`: the graph of what is on
/// the wire.
std::optional<LowerBound> network_time_lower_bound(
    const TrafficGraph& wire, const Machine& machine, std::uint32_t capacity,
    const std::optional<GridStructure>* structure = nullptr);

}  // namespace kith
