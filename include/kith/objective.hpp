// The one evaluator: every number Kith prints about a mapping comes from here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// What mappers and their searches go by: sums over pairs, so that a swap is judged in O(degree).
/// What a user may want minimised beside these is a Goal (goal.hpp).
enum class Objective {
  hop_bytes,  ///< sum of weight x hops
  sum_com,    ///< sum of weight x cost
};

std::string_view to_string(Objective objective);
/// sum_com when the machine carries costs, else hop_bytes.
Objective default_objective(const Machine& machine);

/// An exact non-negative number: units / scale, where scale is the machine's cost_scale().
struct Quantity {
  std::uint64_t units = 0;
  std::uint64_t scale = 1;
  bool integral() const { return units % scale == 0; }
  double value() const { return static_cast<double>(units) / static_cast<double>(scale); }
};

/// Bytes between the NUMA nodes that hold ranks, by pair of nodes (ChoiceMap's thesis, table 6.7).
/// Pairs without traffic count as 0.
struct NumaBytes {
  /// What the nodes are: the tree's level of that name, "numa" or else "package", or "node": hosts.
  std::string level = "node";
  std::uint64_t sum = 0;
  double average = 0;  ///< 0 where there is no pair
  std::uint64_t max = 0;
  std::uint64_t min = 0;
};

/// All metrics of one mapping; each unordered pair counts once with w = bytes in both directions,
/// pairs of a rank with itself never.
struct Metrics {
  std::uint64_t hop_bytes = 0;  ///< sum of w x hops
  double hops_per_byte = 0;     ///< hop_bytes / sum of w; 0 without traffic
  Quantity sum_com;             ///< sum of w x cost
  Quantity max_com;             ///< maximum of w x cost
  double mapping_quality = 0;   ///< sum of w / cost (EagerMap, eq. 7), pairs on one slot at the
                                ///< lowest level's cost; infinite where a cost is 0
  std::vector<std::uint64_t> level_bytes;  ///< trees: bytes meeting at each level, top down
  /// Bytes on the busiest directed link. Trees: up and down, a share of the traffic where links
  /// are parallel; grids: dimension order. Nothing where routes are not known.
  std::optional<std::uint64_t> max_link_load;
  /// Seconds that the busiest directed link is busy: the bytes on the wire over its bandwidth, as
  /// measured or as LinkTimes assumes. Where routes are not known, of the links that join the nodes
  /// to the network.
  Quantity network_time;
  /// Bytes on the wire that the busiest node sends to others, or receives: whichever is more.
  /// Nothing on a machine of one node.
  std::optional<std::uint64_t> busiest_host;
  /// Bytes on a directed link, the mean over all links that the whole machine has, busy or not,
  /// parallel ones each. Of the same links; 0 where there are none.
  std::optional<double> average_link_load;
  NumaBytes numa_bytes;
  /// ChoiceMap's thesis, equation 6.1: what a group of ranks exchanges with all others, summed over
  /// the groups; for pairs, sum of C(i, t) + sum of C(j, t) - 2 C(i, j). A group is the ranks below
  /// one object of the lowest level that has objects with several slots. Nothing where slots share
  /// no object.
  std::optional<std::uint64_t> reduction_value;
  std::uint64_t objective(Objective which) const {
    return which == Objective::hop_bytes ? hop_bytes : sum_com.units;
  }
};

/// Sum of the weights of all pairs. Throws Error (input) when it exceeds 64 bits.
Weight total_weight(const TrafficGraph& graph);

/// Sums are exact (128 bits inside); throws Error (input) when one exceeds 64 bits. O(edges x
/// depth). `matrix` (directed) serves the loads of links, `graph` all others; `wire`, as
/// on_the_wire() makes it, network_time and busiest_host, null: `matrix`. All of the same ranks.
Metrics evaluate(const TrafficMatrix& matrix, const TrafficGraph& graph, const Machine& machine,
                 const Mapping& mapping, const TrafficMatrix* wire = nullptr);

/// The objective alone. O(edges).
std::uint64_t evaluate_objective(const TrafficGraph& graph, const Machine& machine,
                                 const Mapping& mapping, Objective objective);

/// Metrics::max_com alone, in units of 1/cost_scale(). O(edges). Throws Error (input) beyond 64
/// bits.
std::uint64_t evaluate_max_com(const TrafficGraph& graph, const Machine& machine,
                               const Mapping& mapping);

}  // namespace kith
