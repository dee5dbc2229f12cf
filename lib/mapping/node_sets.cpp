#include "mapping/node_sets.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace kith {
namespace {

/// What one call may look at.
constexpr std::uint64_t most_distances = 100'000'000;
constexpr std::size_t most_balls = 64;
constexpr std::size_t most_in_balls = 4'000'000;  // they are sorted

class SetGrower {
 public:
  SetGrower(const Machine& machine, const std::vector<FreeNode>& free, std::uint64_t slots,
            const NodeSet& given)
      : machine_(machine), free_(free), slots_(slots), given_(given) {}

  /// Nodes spread over the machine, those first around which enough slots are nearest.
  std::vector<std::uint32_t> seeds() const {
    constexpr std::size_t least_balls = 8;
    const std::size_t affordable = std::max(least_balls, most_in_balls / free_.size());
    const std::size_t count = std::min({most_balls, free_.size(), affordable});
    std::vector<std::pair<std::uint64_t, std::uint32_t>> by_radius;
    for (std::size_t i = 0; i < count; ++i) {
      const auto seed = static_cast<std::uint32_t>(i * free_.size() / count);
      by_radius.emplace_back(hops_of_ball(seed), seed);
    }
    std::ranges::sort(by_radius);
    std::vector<std::uint32_t> sorted;
    for (const auto& [hops, seed] : by_radius) sorted.push_back(seed);
    return sorted;
  }

  /// Adds the node nearest to all others until there are enough slots; where that would take too
  /// long, those nearest to the seed.
  NodeSet grow(std::uint32_t seed, std::uint64_t affordable) const {
    const std::uint64_t per_node = std::max<std::uint64_t>(1, total_slots() / free_.size());
    const std::uint64_t expected = slots_ / per_node + 1;
    NodeSet set = expected * free_.size() <= affordable ? grow_tight(seed) : ball(seed);
    std::ranges::sort(set);
    return set;
  }

  /// Hops between all pairs, of a fixed sample of 256 nodes where there are more.
  double tightness(const NodeSet& set) const {
    constexpr std::size_t most = 256;
    const std::size_t count = std::min(set.size(), most);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        sum += hops(set[i * set.size() / count], set[j * set.size() / count]);
      }
    }
    const double pairs = static_cast<double>(count) * static_cast<double>(count - 1) / 2;
    const double all = static_cast<double>(set.size()) * static_cast<double>(set.size() - 1) / 2;
    return count < 2 ? 0 : static_cast<double>(sum) / pairs * all;
  }

 private:
  std::uint64_t hops(std::uint32_t a, std::uint32_t b) const {
    return machine_.hops(free_[a].first, free_[b].first);
  }

  std::uint64_t total_slots() const {
    return std::accumulate(
        free_.begin(), free_.end(), std::uint64_t{0},
        [](std::uint64_t sum, const FreeNode& node) { return sum + node.slots; });
  }

  /// A node before another: nearer, of equals with more slots, of equals the lower.
  struct Nearness {
    std::uint64_t hops;
    std::uint32_t fewer_slots;
    std::uint32_t node;
    auto operator<=>(const Nearness&) const = default;
  };
  Nearness nearness(std::uint64_t hops, std::uint32_t node) const {
    return {hops, std::numeric_limits<std::uint32_t>::max() - free_[node].slots, node};
  }

  /// Free nodes by distance from the seed, those first that are given.
  std::vector<Nearness> by_distance(std::uint32_t seed) const {
    std::vector<Nearness> nodes;
    for (std::uint32_t i = 0; i < free_.size(); ++i) {
      const bool is_given = std::ranges::find(given_, i) != given_.end();
      nodes.push_back(nearness(is_given ? 0 : 1 + hops(seed, i), i));
    }
    std::ranges::sort(nodes);
    return nodes;
  }

  NodeSet ball(std::uint32_t seed) const {
    NodeSet set;
    std::uint64_t room = 0;
    for (const Nearness& next : by_distance(seed)) {
      if (room >= slots_ && next.hops > 0) break;
      set.push_back(next.node);
      room += free_[next.node].slots;
    }
    return set;
  }

  std::uint64_t hops_of_ball(std::uint32_t seed) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t node : ball(seed)) sum += hops(seed, node);
    return sum;
  }

  NodeSet grow_tight(std::uint32_t seed) const {
    NodeSet set;
    std::uint64_t room = 0;
    std::vector<std::uint64_t> hops_to_set(free_.size(), 0);
    std::vector<bool> taken(free_.size());
    const auto take = [&](std::uint32_t node) {
      taken[node] = true;
      set.push_back(node);
      room += free_[node].slots;
      for (std::uint32_t i = 0; i < free_.size(); ++i) {
        if (!taken[i]) hops_to_set[i] += hops(node, i);
      }
    };
    for (const std::uint32_t node : given_) take(node);
    if (room < slots_ && !taken[seed]) take(seed);
    while (room < slots_) {
      std::optional<Nearness> nearest;
      for (std::uint32_t i = 0; i < free_.size(); ++i) {
        if (taken[i] || (nearest && hops_to_set[i] > nearest->hops)) continue;
        const Nearness candidate = nearness(hops_to_set[i], i);
        if (!nearest || candidate < *nearest) nearest = candidate;
      }
      take(nearest->node);
    }
    return set;
  }

  const Machine& machine_;
  const std::vector<FreeNode>& free_;
  const std::uint64_t slots_;
  const NodeSet& given_;
};

}  // namespace

std::vector<FreeNode> free_nodes(const Machine& machine) {
  std::map<std::uint64_t, FreeNode> nodes;
  FreeNode* last = nullptr;
  for (const SlotSet::Interval& interval : machine.allowed().intervals()) {
    for (Slot slot = interval.first;; ++slot) {
      const auto node = static_cast<std::uint32_t>(machine.node_of(slot));
      if (last == nullptr || last->node != node) {
        last = &nodes.try_emplace(node, FreeNode{node, slot, 0}).first->second;
      }
      ++last->slots;
      if (slot == interval.last) break;
    }
  }
  std::vector<FreeNode> list;
  for (const auto& [number, node] : nodes) list.push_back(node);
  return list;
}

std::vector<NodeSet> close_node_sets(const Machine& machine, const std::vector<FreeNode>& free,
                                     std::uint64_t slots, const NodeSet& given, std::size_t most) {
  constexpr std::size_t most_grown = 8;
  const SetGrower grower(machine, free, slots, given);
  std::vector<std::pair<double, NodeSet>> grown;
  const auto seeds = grower.seeds();
  for (std::size_t i = 0; i < std::min(seeds.size(), most_grown); ++i) {
    NodeSet set = grower.grow(seeds[i], most_distances / most_grown);
    const double tightness = grower.tightness(set);
    grown.emplace_back(tightness, std::move(set));
  }
  std::ranges::sort(grown);
  const auto repeated = std::unique(grown.begin(), grown.end());
  grown.erase(repeated, grown.end());
  std::vector<NodeSet> sets;
  for (auto& [tightness, set] : grown) {
    if (sets.size() < most) sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace kith
