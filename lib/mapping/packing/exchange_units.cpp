#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/rng.hpp"
#include "mapping/packing/packing.hpp"
#include "objective/distance.hpp"

namespace kith::packing {
namespace {

struct Tie {
  std::uint32_t unit;
  double weight;
};

/// Units and what lies between them: both ends stored.
struct UnitGraph {
  std::vector<std::uint64_t> offsets{0};
  std::vector<Tie> ties;

  std::span<const Tie> of(std::uint32_t unit) const {
    return {ties.data() + offsets[unit], ties.data() + offsets[unit + 1]};
  }
};

std::vector<std::vector<std::uint32_t>> members(std::span<const std::uint32_t> owner_of,
                                                std::size_t owners) {
  std::vector<std::vector<std::uint32_t>> found(owners);
  for (std::uint32_t i = 0; i < owner_of.size(); ++i) found[owner_of[i]].push_back(i);
  return found;
}

UnitGraph unit_graph(const TrafficGraph& graph, const Units& units) {
  const auto ranks_of = members(units.unit_of, units.sizes.size());
  UnitGraph result;
  std::vector<double> weight(units.sizes.size(), 0);
  std::vector<std::uint32_t> reached;
  for (std::uint32_t unit = 0; unit < units.sizes.size(); ++unit) {
    for (const std::uint32_t r : ranks_of[unit]) {
      const auto neighbours = graph.neighbours(Rank{r});
      const auto weights = graph.weights(Rank{r});
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const std::uint32_t other = units.unit_of[neighbours[i].value];
        if (other == unit) continue;
        if (weight[other] == 0) reached.push_back(other);
        weight[other] += static_cast<double>(weights[i]);
      }
    }
    for (const std::uint32_t other : reached) {
      result.ties.push_back({other, weight[other]});
      weight[other] = 0;
    }
    reached.clear();
    result.offsets.push_back(result.ties.size());
  }
  return result;
}

template <class Distance>
class UnitExchange {
 public:
  UnitExchange(const MapTask& problem, const SlotTree& slots, const RoomTree& tree,
               const Units& units, BlockOf& block_of, UnitGraph graph, const Distance& distance,
               std::uint64_t seed)
      : budget_(problem.budget),
        slots_(slots),
        tree_(tree),
        units_(units),
        distance_(distance),
        rng_(seed),
        graph_(std::move(graph)),
        ranks_block_of_(block_of),
        block_(units.sizes.size()),
        in_block_(tree.objects().size()) {
    for (std::uint32_t r = 0; r < block_of.size(); ++r) block_[units.unit_of[r]] = block_of[r];
    for (std::uint32_t u = 0; u < block_.size(); ++u) {
      if (units.sizes[u] > 0) in_block_[block_[u]].push_back(u);
      if (!graph_.of(u).empty()) talkers_.push_back(u);
    }
    first_slot_.resize(tree.objects().size(), Slot{0});
    for (const std::uint32_t b : tree.blocks()) first_slot_[b] = slots.slot(tree[b].slots.first);
  }

  void run(std::uint64_t tests) {
    double sum = 0;
    for (const std::uint32_t u : talkers_) sum += cost(u, block_[u]);
    const double hottest = 0.2 * sum / static_cast<double>(talkers_.size());
    if (hottest <= 0) return;
    const double coldest = hottest / 200;
    double now = 0;
    double least = 0;
    std::vector<std::uint32_t> best = block_;
    for (std::uint64_t test = 0; test < tests; ++test) {
      if (test % 64 == 0) {
        if (budget_ != nullptr && !budget_->spend(64)) return;
        const double part = static_cast<double>(test) / static_cast<double>(tests);
        heat_ = hottest * std::pow(coldest / hottest, part);
      }
      now += try_step();
      // Late, when it hardly rises any more.
      if (10 * test > 9 * tests && now < least && test % 256 == 0) {
        least = now;
        best = block_;
      }
    }
    if (now < least) best = block_;
    if (std::min(now, least) >= 0) return;
    for (std::uint32_t r = 0; r < ranks_block_of_.size(); ++r) {
      ranks_block_of_[r] = best[units_.unit_of[r]];
    }
  }

 private:
  double apart(std::uint32_t a, std::uint32_t b) const {
    if (a != b) return static_cast<double>(distance_(first_slot_[a], first_slot_[b]));
    const SlotTree::Object& slots = tree_[a].slots;
    if (slots.slots() < 2) return 0;
    return static_cast<double>(distance_(first_slot_[a], slots_.slot(slots.first + 1)));
  }

  double cost(std::uint32_t unit, std::uint32_t block) const {
    double sum = 0;
    for (const Tie& tie : graph_.of(unit)) sum += tie.weight * apart(block, block_[tie.unit]);
    return sum;
  }

  /// What it costs more.
  double move(std::uint32_t unit, std::uint32_t to) {
    const std::uint32_t from = block_[unit];
    const double more = cost(unit, to) - cost(unit, from);
    std::erase(in_block_[from], unit);
    in_block_[to].push_back(unit);
    if (!units_.only_alike) {
      tree_.give(from, units_.sizes[unit]);
      tree_.take(to, units_.sizes[unit]);  // others may still have to leave
    }
    block_[unit] = to;
    return more;
  }

  std::uint32_t any_block() { return tree_.blocks()[rng_.below(tree_.blocks().size())]; }

  /// The block of a unit that it talks to, or one beside that.
  std::uint32_t target(std::uint32_t unit) {
    if (rng_.below(4) == 0) return any_block();
    const auto ties = graph_.of(unit);
    const std::uint32_t near = block_[ties[rng_.below(ties.size())].unit];
    const std::uint32_t parent = tree_[near].parent;
    if (parent == RoomTree::none || rng_.below(2) == 0) return near;
    const std::uint32_t beside =
        tree_[parent].first_child + static_cast<std::uint32_t>(rng_.below(tree_[parent].children));
    return tree_[beside].children == 0 ? beside : near;
  }

  /// Units of a block that make room for so many ranks, and fit into so many; false where none do.
  bool choose_others(std::uint32_t block, std::uint64_t wanted, std::uint64_t room) {
    others_.clear();
    const std::uint64_t free = units_.only_alike ? 0 : tree_[block].room;
    if (free >= wanted) return true;
    const std::vector<std::uint32_t>& candidates = in_block_[block];
    if (candidates.empty()) return false;
    const std::size_t start = rng_.below(candidates.size());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < candidates.size() && free + sum < wanted; ++i) {
      const std::uint32_t other = candidates[(start + i) % candidates.size()];
      if (sum + units_.sizes[other] > room) continue;
      sum += units_.sizes[other];
      others_.push_back(other);
    }
    return free + sum >= wanted;
  }

  double try_step() {
    const std::uint32_t unit = talkers_[rng_.below(talkers_.size())];
    const std::uint32_t from = block_[unit];
    const std::uint32_t to = target(unit);
    if (to == from || tree_[to].capacity < units_.sizes[unit]) return 0;
    if (units_.only_alike && tree_[to].capacity != tree_[from].capacity) return 0;
    const std::uint64_t size = units_.sizes[unit];
    const std::uint64_t room = size + (units_.only_alike ? 0 : tree_[from].room);
    if (units_.only_alike) {
      others_ = in_block_[to];
    } else if (!choose_others(to, size, room)) {
      return 0;
    }
    double more = move(unit, to);
    for (const std::uint32_t other : others_) more += move(other, from);
    if (more <= -heat_ * std::log(1 - rng_.uniform())) return more;
    for (const std::uint32_t other : others_) move(other, to);
    move(unit, from);
    return 0;
  }

  Budget* budget_;
  const SlotTree& slots_;
  RoomTree tree_;
  const Units& units_;
  const Distance& distance_;
  Rng rng_;
  UnitGraph graph_;
  BlockOf& ranks_block_of_;
  std::vector<std::uint32_t> block_;                  // by unit
  std::vector<std::vector<std::uint32_t>> in_block_;  // units, by object
  std::vector<std::uint32_t> talkers_;
  std::vector<Slot> first_slot_;
  std::vector<std::uint32_t> others_;
  double heat_ = 0;
};

}  // namespace

void exchange_units(const MapTask& problem, const SlotTree& slots, const RoomTree& tree,
                    const Units& units, BlockOf& block_of, std::uint64_t tests,
                    std::uint64_t seed) {
  UnitGraph graph = unit_graph(problem.graph, units);
  if (graph.ties.empty() || tree.blocks().size() < 2) return;
  with_distance(problem.machine, problem.options.objective, [&](const auto& distance) {
    UnitExchange(problem, slots, tree, units, block_of, std::move(graph), distance, seed)
        .run(tests);
  });
}

}  // namespace kith::packing
