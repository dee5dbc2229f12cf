#include "mapping/multilevel/multilevel.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "mapping/budget.hpp"
#include "mapping/multilevel/multisect.hpp"
#include "mapping/multilevel/two_way.hpp"
#include "objective/distance.hpp"

namespace kith::multilevel {
namespace {

/// Weights divided by a power of two, rounded up, so that all together times the largest cost stay
/// below 2^61. False where that changed them.
bool scale_down(WorkGraph& graph, std::uint64_t largest_cost) {
  std::int64_t total = 0;
  for (const std::int64_t weight : graph.weights) total += weight;
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(total)) +
                                     std::bit_width(largest_cost));
  if (bits <= 61) return true;
  const int shift = bits - 61;
  const std::int64_t round_up = (std::int64_t{1} << shift) - 1;
  for (std::int64_t& weight : graph.weights) weight = (weight + round_up) >> shift;
  return false;
}

/// Blocks are the objects above the leaves, or the leaves where those have several ranks.
unsigned block_level_of(const MapTask& problem, const TreeMachine& tree) {
  return problem.options.capacity > 1 ? tree.depth() : tree.depth() - 1;
}

class BlockRefiner {
 public:
  BlockRefiner(const MapTask& problem, const TreeMachine& tree, Mapping mapping,
               const Trials& trials, Budget* budget)
      : trials_(trials),
        budget_(budget),
        graph_(work_graph(problem.graph)),
        mapping_(std::move(mapping)),
        block_of_(graph_.vertices()),
        place_(graph_.vertices(), outside),
        blocks_(blocks(tree, TreeDistance(tree, problem.options.objective),
                       block_level_of(problem, tree))),
        members_(blocks_.count()) {
    const auto costs = tree_costs(tree, problem.options.objective);
    exact_ = scale_down(graph_, *std::ranges::max_element(costs));
    for (std::uint32_t r = 0; r < graph_.vertices(); ++r) members_[block_of_[r]].push_back(r);
    find_free_slots(problem, tree);
  }

  /// False where weights were rounded, so that gains may not be true.
  bool is_exact() const { return exact_; }

  Mapping run() {
    std::vector<bool> changed(members_.size(), true);
    for (unsigned round = 0; round < 2 * trials_.passes; ++round) {
      std::vector<bool> changes(members_.size());
      for (const auto& [a, b] : promising_pairs(graph_, blocks_, block_of_, changed, room_)) {
        if (budget_ != nullptr && budget_->exhausted()) return std::move(mapping_);
        if (refine_pair(a, b)) changes[a] = changes[b] = true;
      }
      if (std::ranges::find(changes, true) == changes.end()) break;
      changed = std::move(changes);
    }
    return std::move(mapping_);
  }

 private:
  static std::span<const std::uint64_t> tree_costs(const TreeMachine& tree, Objective objective) {
    return objective == Objective::hop_bytes ? tree.level_hops() : tree.level_cost();
  }

  TreeBlocks blocks(const TreeMachine& tree, const TreeDistance& distance, unsigned level) {
    std::vector<std::uint64_t> object_of;
    object_of.reserve(graph_.vertices());
    for (const Slot slot : mapping_.slot_of) {
      object_of.push_back(tree.ancestor(tree.leaf_of_slot(slot), level));
    }
    std::vector<std::uint64_t> objects = object_of;
    std::ranges::sort(objects);
    objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
    TreeBlocks result(tree, distance, level, std::move(objects));
    for (std::uint32_t r = 0; r < graph_.vertices(); ++r) {
      block_of_[r] = result.number_of(object_of[r]);
    }
    return result;
  }

  bool refine_pair(std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint32_t> ranks = members_[a];
    ranks.insert(ranks.end(), members_[b].begin(), members_[b].end());
    const auto first_of_b = static_cast<std::ptrdiff_t>(members_[a].size());
    WorkGraph graph = induced(graph_, ranks, place_);
    const std::int64_t apart = blocks_.between(a, b) - blocks_.between(a, a);
    for (std::int64_t& weight : graph.weights) weight *= apart;
    graph.bias.resize(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) graph.bias[i] = bias(ranks[i], a, b);
    std::vector<std::uint8_t> side(ranks.size());
    std::fill(side.begin() + first_of_b, side.end(), 1);
    TwoWay two_way(graph, side, budget_);
    const std::int64_t before = two_way.cost();
    const Balance balance = balance_of(a, b);
    two_way.refine(balance, trials_.passes, trials_.patience);
    if (two_way.cost() >= before || two_way.off(balance) > 0) return false;
    exchange(ranks, side, a, b);
    return true;
  }

  /// Any size of `a` for which neither has more than it has slots.
  Balance balance_of(std::uint32_t a, std::uint32_t b) const {
    if (room_.empty()) return {members_[a].size(), 0};
    const std::uint64_t both = members_[a].size() + members_[b].size();
    const std::uint64_t most = std::min(both, members_[a].size() + room_[a]);
    const std::uint64_t least = members_[a].size() - std::min(members_[a].size(), room_[b]);
    const std::uint64_t tolerance = (most - least) / 2;
    return {least + tolerance, tolerance};
  }

  /// Slots below the objects of the blocks that no rank has; none where slots take several ranks.
  void find_free_slots(const MapTask& problem, const TreeMachine& tree) {
    const std::uint64_t allowed = problem.machine.allowed().size();
    if (problem.options.capacity > 1 || problem.options.least > 0 || allowed == graph_.vertices() ||
        allowed > 4 * std::uint64_t{graph_.vertices()}) {
      return;
    }
    std::vector<std::uint32_t> taken;
    for (const Slot slot : mapping_.slot_of) taken.push_back(tree.leaf_of_slot(slot));
    std::ranges::sort(taken);
    free_.resize(members_.size());
    room_.resize(members_.size(), 0);
    for (const std::uint32_t leaf : tree.allowed_leaves()) {
      if (std::ranges::binary_search(taken, leaf)) continue;
      const std::uint64_t object = tree.ancestor(leaf, blocks_.level());
      const std::uint32_t block = blocks_.number_of(object);
      if (block == blocks_.count() || blocks_.object(block) != object) continue;
      free_[block].push_back(tree.slot_of_leaf(leaf));
      ++room_[block];
    }
  }

  std::int64_t bias(std::uint32_t r, std::uint32_t a, std::uint32_t b) const {
    std::int64_t bias = 0;
    const auto neighbours = graph_.neighbours_of(r);
    const auto weights = graph_.weights_of(r);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t other = block_of_[neighbours[i]];
      if (other == a || other == b) continue;
      bias += weights[i] * (blocks_.between(b, other) - blocks_.between(a, other));
    }
    return bias;
  }

  /// Those who change sides take each other's slots, and free ones.
  void exchange(const std::vector<std::uint32_t>& ranks, const std::vector<std::uint8_t>& side,
                std::uint32_t a, std::uint32_t b) {
    std::vector<Slot> freed[2];
    if (!free_.empty()) {
      freed[0] = std::move(free_[a]);
      freed[1] = std::move(free_[b]);
    }
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      if (side[i] != (block_of_[ranks[i]] == b)) {
        freed[1 - side[i]].push_back(mapping_.slot_of[ranks[i]]);
      }
    }
    members_[a].clear();
    members_[b].clear();
    std::size_t next[2] = {};
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const std::uint32_t r = ranks[i];
      const std::uint32_t now = side[i] == 0 ? a : b;
      if (now != block_of_[r]) mapping_.slot_of[r] = freed[side[i]][next[side[i]]++];
      block_of_[r] = now;
      members_[now].push_back(r);
    }
    if (free_.empty()) return;
    for (const auto side_of : {0, 1}) {
      const std::uint32_t block = side_of == 0 ? a : b;
      freed[side_of].erase(freed[side_of].begin(),
                           freed[side_of].begin() + static_cast<std::ptrdiff_t>(next[side_of]));
      room_[block] = freed[side_of].size();
      free_[block] = std::move(freed[side_of]);
    }
  }

  const Trials& trials_;
  Budget* budget_;
  WorkGraph graph_;
  Mapping mapping_;
  std::vector<std::uint32_t> block_of_;
  std::vector<std::uint32_t> place_;
  TreeBlocks blocks_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::vector<Slot>> free_;  // by block; empty: no rank moves to a free slot
  std::vector<std::uint64_t> room_;      // their numbers
  bool exact_ = true;
};

}  // namespace

Mapping refine_blocks(const MapTask& problem, const TreeMachine& tree, Mapping mapping,
                      const Trials& trials, Budget* budget) {
  if (block_level_of(problem, tree) == 0 || problem.graph.edges() == 0) return mapping;
  BlockRefiner refiner(problem, tree, mapping, trials, budget);
  Mapping refined = refiner.run();
  if (refiner.is_exact()) return refined;
  const auto objective = [&](const Mapping& one) {
    return evaluate_objective(problem.graph, problem.machine, one, problem.options.objective);
  };
  return objective(refined) < objective(mapping) ? refined : mapping;
}

}  // namespace kith::multilevel
