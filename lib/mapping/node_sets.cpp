#include "mapping/node_sets.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "kith/detail/network_machine.hpp"
#include "machine/allocate/free_nodes.hpp"

namespace kith {
namespace {

/// What one call may look at.
constexpr std::uint64_t most_distances = 100'000'000;
constexpr std::size_t most_balls = 64;
constexpr std::size_t most_in_balls = 4'000'000;  // they are sorted

/// What a set still lacks, and which nodes may join it without making it larger than need be.
class Shortfall {
 public:
  Shortfall(const std::vector<FreeNode>& free, std::uint64_t slots) : missing_(slots) {
    for (const FreeNode& node : free) ++nodes_with_[node.slots];
  }

  bool none() const { return missing_ == 0; }

  void take(const FreeNode& node) {
    const auto same = nodes_with_.find(node.slots);
    if (--same->second == 0) nodes_with_.erase(same);
    missing_ -= std::min<std::uint64_t>(missing_, node.slots);
  }

  /// The fewest slots that the next node may have: the largest others must be able to give the rest
  /// without one node more. O(different sizes).
  std::uint32_t least_slots() const {
    std::uint64_t others = 0;  // slots of the largest nodes, one fewer than are needed
    for (const auto& [slots, count] : nodes_with_) {
      const std::uint64_t lacking = missing_ - others;
      const std::uint64_t needed = (lacking + slots - 1) / slots;
      if (needed <= count) {
        return static_cast<std::uint32_t>(lacking - (needed - 1) * std::uint64_t{slots});
      }
      others += count * std::uint64_t{slots};
    }
    return 1;
  }

 private:
  std::uint64_t missing_;
  std::map<std::uint32_t, std::uint64_t, std::greater<>> nodes_with_;  // by slots, of those left
};

class SetGrower {
 public:
  SetGrower(const Machine& machine, Objective objective, const std::vector<FreeNode>& free,
            std::uint64_t slots, const NodeSet& given)
      : machine_(machine), objective_(objective), free_(free), slots_(slots), given_(given) {}

  /// Nodes spread over the machine, those first around which enough slots are nearest.
  std::vector<std::uint32_t> seeds() const {
    constexpr std::size_t least_balls = 8;
    const std::size_t affordable = std::max(least_balls, most_in_balls / free_.size());
    const std::size_t count = std::min({most_balls, free_.size(), affordable});
    std::vector<std::pair<double, std::uint32_t>> by_radius;
    for (std::size_t i = 0; i < count; ++i) {
      const auto seed = static_cast<std::uint32_t>(i * free_.size() / count);
      double sum = 0;
      for (const std::uint32_t node : ball(seed)) sum += distance(seed, node);
      by_radius.emplace_back(sum, seed);
    }
    std::ranges::sort(by_radius);
    std::vector<std::uint32_t> sorted;
    for (const auto& [radius, seed] : by_radius) sorted.push_back(seed);
    return sorted;
  }

  /// Adds the node nearest to all others until there are enough slots; where that would take too
  /// long, those nearest to the seed.
  NodeSet grow(std::uint32_t seed, std::uint64_t affordable) const {
    NodeSet set = ball(seed);
    if (set.size() * free_.size() <= affordable) set = grow_tight(seed);
    std::ranges::sort(set);
    return set;
  }

  /// A box of a grid whose free nodes have equally many slots each. Nothing where there is none.
  std::optional<NodeSet> box() const {
    constexpr std::size_t most_dimensions = 6;
    const NetworkMachine* network = machine_.as_network();
    const GridNetwork* grid = network == nullptr ? nullptr : network->network().as_grid();
    const std::uint32_t each = free_.front().slots;
    if (grid == nullptr || !given_.empty() || grid->extents().size() > most_dimensions ||
        grid->nodes() > most_in_balls) {
      return std::nullopt;
    }
    std::vector<bool> is_free(grid->nodes());
    for (const FreeNode& node : free_) {
      if (node.slots != each) return std::nullopt;
      is_free[node.node] = true;
    }
    auto nodes = find_free_box(grid->extents(), is_free, (slots_ + each - 1) / each);
    if (!nodes) return std::nullopt;
    for (std::uint32_t& node : *nodes) {
      node = static_cast<std::uint32_t>(std::ranges::lower_bound(free_, node, {}, &FreeNode::node) -
                                        free_.begin());
    }
    std::ranges::sort(*nodes);
    return nodes;
  }

  /// Distances between all pairs, of a fixed sample of 256 nodes where there are more.
  double tightness(const NodeSet& set) const {
    constexpr std::size_t most = 256;
    const std::size_t count = std::min(set.size(), most);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        sum += distance(set[i * set.size() / count], set[j * set.size() / count]);
      }
    }
    return sum;
  }

 private:
  double distance(std::uint32_t a, std::uint32_t b) const {
    const Slot from = free_[a].first;
    const Slot to = free_[b].first;
    return static_cast<double>(objective_ == Objective::hop_bytes ? machine_.hops(from, to)
                                                                  : machine_.cost(from, to));
  }

  /// A node before another: nearer, of equals with more slots, of equals the lower.
  struct Nearness {
    double distance;
    std::uint32_t fewer_slots;
    std::uint32_t node;
    auto operator<=>(const Nearness&) const = default;
  };
  Nearness nearness(double distance, std::uint32_t node) const {
    return {distance, std::numeric_limits<std::uint32_t>::max() - free_[node].slots, node};
  }

  /// Those that are given, then the nearest to the seed.
  NodeSet ball(std::uint32_t seed) const {
    Shortfall shortfall(free_, slots_);
    NodeSet set = given_;
    for (const std::uint32_t node : given_) shortfall.take(free_[node]);
    std::vector<Nearness> left;
    for (std::uint32_t i = 0; i < free_.size(); ++i) {
      if (!std::binary_search(given_.begin(), given_.end(), i)) {
        left.push_back(nearness(distance(seed, i), i));
      }
    }
    std::ranges::sort(left);
    while (!shortfall.none()) {  // small nodes may have been passed over and fit later
      std::erase_if(left, [&](const Nearness& next) {
        if (shortfall.none() || free_[next.node].slots < shortfall.least_slots()) return false;
        shortfall.take(free_[next.node]);
        set.push_back(next.node);
        return true;
      });
    }
    return set;
  }

  NodeSet grow_tight(std::uint32_t seed) const {
    NodeSet set;
    Shortfall shortfall(free_, slots_);
    std::vector<double> to_set(free_.size(), 0);
    std::vector<bool> taken(free_.size());
    const auto take = [&](std::uint32_t node) {
      taken[node] = true;
      set.push_back(node);
      shortfall.take(free_[node]);
      for (std::uint32_t i = 0; i < free_.size(); ++i) {
        if (!taken[i]) to_set[i] += distance(node, i);
      }
    };
    for (const std::uint32_t node : given_) take(node);
    if (!shortfall.none() && !taken[seed] && free_[seed].slots >= shortfall.least_slots()) {
      take(seed);
    }
    while (!shortfall.none()) {
      const std::uint32_t least = shortfall.least_slots();
      std::optional<Nearness> nearest;
      for (std::uint32_t i = 0; i < free_.size(); ++i) {
        if (taken[i] || free_[i].slots < least || (nearest && to_set[i] > nearest->distance)) {
          continue;
        }
        const Nearness candidate = nearness(to_set[i], i);
        if (!nearest || candidate < *nearest) nearest = candidate;
      }
      take(nearest->node);
    }
    return set;
  }

  const Machine& machine_;
  const Objective objective_;
  const std::vector<FreeNode>& free_;
  const std::uint64_t slots_;
  const NodeSet& given_;
};

}  // namespace

std::vector<NodeSet> close_node_sets(const Machine& machine, Objective objective,
                                     const std::vector<FreeNode>& free, std::uint64_t slots,
                                     const NodeSet& given, std::size_t most) {
  constexpr std::size_t most_grown = 8;
  const SetGrower grower(machine, objective, free, slots, given);
  std::vector<NodeSet> sets;
  if (auto box = grower.box()) sets.push_back(std::move(*box));
  std::vector<std::pair<double, NodeSet>> grown;
  const auto seeds = grower.seeds();
  for (std::size_t i = 0; i < std::min(seeds.size(), most_grown); ++i) {
    NodeSet set = grower.grow(seeds[i], most_distances / most_grown);
    const double tightness = grower.tightness(set);
    grown.emplace_back(tightness, std::move(set));
  }
  std::ranges::sort(grown);
  for (auto& [tightness, set] : grown) {
    const bool is_new = std::ranges::find(sets, set) == sets.end();
    if (is_new && sets.size() < most) sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace kith
