#include "mapping/multilevel/block_refine.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "mapping/budget.hpp"
#include "mapping/multilevel/two_way.hpp"
#include "objective/distance.hpp"

namespace kith::multilevel {
namespace {

class BlockRefiner {
 public:
  BlockRefiner(const MapProblem& problem, const TreeMachine& tree, Mapping mapping,
               const Trials& trials, Budget* budget)
      : problem_(problem),
        tree_(tree),
        trials_(trials),
        budget_(budget),
        distance_(tree, problem.options.objective),
        graph_(work_graph(problem.graph)),
        mapping_(std::move(mapping)),
        block_level_(tree.depth() - 1),
        block_of_(graph_.vertices()),
        place_(graph_.vertices()) {
    number_blocks();
    // Sums of a rank's weights are below 2^61 together: with costs they must stay below 2^62.
    const unsigned cost_bits = static_cast<unsigned>(std::bit_width(distance_.at_level(0)));
    std::int64_t total = 0;
    for (const std::int64_t weight : graph_.weights) total += weight;
    const auto total_bits =
        static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(total)));
    if (total_bits + cost_bits > 61) shift_ = total_bits + cost_bits - 61;
  }

  Mapping run() {
    std::vector<bool> changed(members_.size(), true);
    for (unsigned round = 0; round < 2 * trials_.passes; ++round) {
      std::vector<bool> changes(members_.size());
      for (std::uint32_t a = 0; a < members_.size(); ++a) {
        for (const std::uint32_t b : partners_of(a)) {
          if (budget_ != nullptr && budget_->exhausted()) return std::move(mapping_);
          if (!changed[a] && !changed[b] && !changes[a] && !changes[b]) continue;
          if (refine_pair(a, b)) changes[a] = changes[b] = true;
        }
      }
      if (std::ranges::find(changes, true) == changes.end()) break;
      changed = std::move(changes);
    }
    return std::move(mapping_);
  }

 private:
  /// Only those in use get a number.
  void number_blocks() {
    const auto block_of = [&](std::uint32_t r) {
      return tree_.ancestor(tree_.leaf_of_slot(mapping_.slot_of[r]), block_level_);
    };
    for (std::uint32_t r = 0; r < graph_.vertices(); ++r) blocks_.push_back(block_of(r));
    std::ranges::sort(blocks_);
    blocks_.erase(std::unique(blocks_.begin(), blocks_.end()), blocks_.end());
    members_.resize(blocks_.size());
    for (std::uint32_t r = 0; r < graph_.vertices(); ++r) {
      const auto found = std::ranges::lower_bound(blocks_, block_of(r));
      block_of_[r] = static_cast<std::uint32_t>(found - blocks_.begin());
      members_[block_of_[r]].push_back(r);
    }
  }

  /// Blocks of higher number that a block talks to.
  std::vector<std::uint32_t> partners_of(std::uint32_t block) const {
    std::vector<std::uint32_t> partners;
    for (const std::uint32_t r : members_[block]) {
      for (const std::uint32_t other : graph_.neighbours_of(r)) {
        if (block_of_[other] > block) partners.push_back(block_of_[other]);
      }
    }
    std::ranges::sort(partners);
    partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
    return partners;
  }

  std::int64_t between(std::uint32_t a, std::uint32_t b) const {
    const auto slot = [&](std::uint32_t block) {
      return tree_.slot_of_leaf(tree_.first_leaf(block_level_, blocks_[block]));
    };
    return static_cast<std::int64_t>(a == b ? distance_.at_level(block_level_)
                                            : distance_(slot(a), slot(b)));
  }

  bool refine_pair(std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint32_t> ranks = members_[a];
    ranks.insert(ranks.end(), members_[b].begin(), members_[b].end());
    const auto first_of_b = static_cast<std::ptrdiff_t>(members_[a].size());
    WorkGraph graph = induced(graph_, ranks, place_);
    const std::int64_t apart = between(a, b) - between(a, a);
    for (std::int64_t& weight : graph.weights) weight = (weight * apart) >> shift_;
    graph.bias.resize(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) graph.bias[i] = bias(ranks[i], a, b);
    std::vector<std::uint8_t> side(ranks.size());
    std::fill(side.begin() + first_of_b, side.end(), 1);
    TwoWay two_way(graph, side, budget_);
    const std::int64_t before = two_way.cost();
    two_way.refine({members_[a].size(), 0}, trials_.passes, trials_.patience);
    if (two_way.cost() >= before) return false;
    exchange(ranks, side, a, b);
    return true;
  }

  std::int64_t bias(std::uint32_t r, std::uint32_t a, std::uint32_t b) const {
    std::int64_t bias = 0;
    const auto neighbours = graph_.neighbours_of(r);
    const auto weights = graph_.weights_of(r);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t other = block_of_[neighbours[i]];
      if (other == a || other == b) continue;
      bias += (weights[i] * (between(b, other) - between(a, other))) >> shift_;
    }
    return bias;
  }

  /// Those who change sides take each other's slots.
  void exchange(const std::vector<std::uint32_t>& ranks, const std::vector<std::uint8_t>& side,
                std::uint32_t a, std::uint32_t b) {
    std::vector<Slot> freed[2];
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
  }

  const MapProblem& problem_;
  const TreeMachine& tree_;
  const Trials& trials_;
  Budget* budget_;
  TreeDistance distance_;
  WorkGraph graph_;
  Mapping mapping_;
  unsigned block_level_;
  unsigned shift_ = 0;
  std::vector<std::uint64_t> blocks_;  // objects of the tree, ascending
  std::vector<std::uint32_t> block_of_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::uint32_t> place_;
};

}  // namespace

Mapping refine_blocks(const MapProblem& problem, const TreeMachine& tree, Mapping mapping,
                      const Trials& trials, Budget* budget) {
  if (tree.depth() < 2 || problem.graph.edges() == 0) return mapping;
  return BlockRefiner(problem, tree, std::move(mapping), trials, budget).run();
}

}  // namespace kith::multilevel
