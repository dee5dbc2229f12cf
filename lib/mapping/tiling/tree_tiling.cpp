#include "mapping/tiling/tilings.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "mapping/budget.hpp"
#include "mapping/slot_tree.hpp"
#include "mapping/tiling/slicing.hpp"
#include "mapping/tiling/task_grid.hpp"
#include "objective/distance.hpp"

namespace kith::tiling {
namespace {

/// The tree of the first `ranks / capacity` allowed leaves, if it is symmetric and full.
std::optional<std::vector<Branching>> branchings(const MapTask& problem, const TreeMachine& tree) {
  const std::uint32_t ranks = problem.graph.ranks();
  const std::uint32_t capacity = problem.options.capacity;
  if (ranks == 0 || ranks % capacity != 0) return std::nullopt;
  const std::uint32_t places = ranks / capacity;
  if (places > tree.allowed().size()) return std::nullopt;
  const auto arities = tree.arities_of(tree.allowed_leaves(places));
  if (!arities) return std::nullopt;
  const TreeDistance distance(tree, problem.options.objective);
  std::vector<Branching> result;
  for (unsigned level = 0; level < tree.depth(); ++level) {
    if ((*arities)[level] == 1) continue;
    result.push_back({(*arities)[level], static_cast<double>(distance.at_level(level))});
  }
  if (capacity > 1) result.push_back({capacity, 0});
  return result;
}

}  // namespace

std::optional<TreeTiling> tile_tree(const MapTask& problem, const TreeMachine& tree,
                                    const TaskGrid& grid) {
  const auto levels = branchings(problem, tree);
  if (!levels) return std::nullopt;
  const auto boxes = best_boxes(grid, *levels);
  if (!boxes) return std::nullopt;
  const std::uint32_t capacity = problem.options.capacity;
  const auto leaves = tree.allowed_leaves(problem.graph.ranks() / capacity);
  TreeTiling tiling;
  tiling.mapping.slot_of.reserve(problem.graph.ranks());
  for (const Place& place : grid.place_of) {
    const std::uint64_t leaf = leaf_of(grid, place, *boxes) / capacity;
    tiling.mapping.slot_of.push_back(tree.slot_of_leaf(leaves[leaf]));
  }
  for (std::size_t l = boxes->size(); l-- > 0;) {
    const Place& box = (*boxes)[l];
    tiling.blocks.emplace_back(box.begin(), box.begin() + grid.dimensions);
  }
  return tiling;
}

namespace {

constexpr std::uint64_t most_splitting_work =
    20'000'000;  // ends of edges looked at, all levels together

std::uint64_t most_ways(Effort effort) {
  return effort == Effort::fast ? 4 : 12;
}

/// How many of `ranks` ranks go to each child.
std::vector<std::uint32_t> shares_of(const std::vector<SlotTree::Object>& children,
                                     std::uint64_t ranks, const MapOptions& options,
                                     Filling filling) {
  std::vector<std::uint64_t> room;
  room.reserve(children.size());
  for (const auto& child : children) room.push_back(child.slots());
  if (options.least > 0) return proportional_shares(ranks, room);
  std::vector<std::uint32_t> largest_first(children.size());
  std::iota(largest_first.begin(), largest_first.end(), 0U);
  std::ranges::stable_sort(largest_first, std::ranges::greater{},
                           [&](std::uint32_t c) { return room[c]; });
  std::vector<std::uint32_t> shares(children.size(), 0);
  std::vector<std::uint64_t> used(children.size(), 0);
  std::uint64_t left = ranks;
  for (const std::uint32_t c : largest_first) {
    const std::uint64_t share = std::min(left, room[c] * options.capacity);
    shares[c] = static_cast<std::uint32_t>(share);
    if (share > 0) used[c] = room[c];
    left -= share;
  }
  return filling == Filling::packed ? shares : proportional_shares(ranks, used);
}

/// The ranks by place, row by row.
std::vector<std::uint32_t> order_in(const RankSpace& space) {
  std::vector<std::uint32_t> order(space.place_of.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {},
                           [&](std::uint32_t r) -> const Place& { return space.place_of[r]; });
  return order;
}

/// order[i] becomes i.
TrafficGraph renumbered(const TrafficGraph& graph, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> number(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  std::vector<std::uint64_t> offsets{0};
  std::vector<Rank> neighbours;
  std::vector<Weight> weights;
  offsets.reserve(order.size() + 1);
  neighbours.reserve(2 * graph.edges());
  weights.reserve(2 * graph.edges());
  std::vector<std::pair<std::uint32_t, Weight>> row;
  for (const std::uint32_t rank : order) {
    row.clear();
    const auto row_weights = graph.weights(Rank(rank));
    for (std::size_t i = 0; i < row_weights.size(); ++i) {
      row.emplace_back(number[graph.neighbours(Rank(rank))[i].value], row_weights[i]);
    }
    std::ranges::sort(row);
    for (const auto& [other, weight] : row) {
      neighbours.emplace_back(other);
      weights.push_back(weight);
    }
    offsets.push_back(neighbours.size());
  }
  return TrafficGraph::from_csr(std::move(offsets), std::move(neighbours), std::move(weights));
}

class Splitter {
 public:
  Splitter(const MapTask& problem, const RankSpace& space, Filling filling)
      : problem_(problem),
        slicer_(space),
        tree_(problem.machine),
        filling_(filling),
        most_slicings_(std::clamp<std::uint64_t>(
            most_splitting_work / (2 * levels * std::max<std::uint64_t>(problem.graph.edges(), 1)),
            1, most_ways(problem.options.effort))),
        step_(problem.graph.ranks(), 0),
        part_(problem.graph.ranks(), 0) {}

  Mapping split() {
    std::vector<std::uint32_t> ranks(problem_.graph.ranks());
    std::iota(ranks.begin(), ranks.end(), 0U);
    mapping_.slot_of.resize(ranks.size());
    divide(tree_.root(), ranks);
    return std::move(mapping_);
  }

 private:
  static constexpr std::uint64_t levels = 4;

  void divide(const SlotTree::Object& object, std::span<std::uint32_t> ranks) {
    if (ranks.empty()) return;
    std::vector<SlotTree::Object> children;
    tree_.children(object, children);
    if (children.empty()) {
      for (const std::uint32_t rank : ranks) mapping_.slot_of[rank] = tree_.slot(object.first);
      return;
    }
    std::vector<std::uint32_t> ends;
    std::vector<SlotTree::Object> used;
    const auto shares = shares_of(children, ranks.size(), problem_.options, filling_);
    for (std::size_t c = 0; c < children.size(); ++c) {
      if (shares[c] == 0) continue;
      ends.push_back((ends.empty() ? 0 : ends.back()) + shares[c]);
      used.push_back(children[c]);
    }
    // Ranks that are alone on slots of one object are equally far from each other.
    if (ends.size() > 1 && ends.size() < ranks.size()) slice(ranks, ends);
    for (std::size_t c = 0; c < used.size(); ++c) {
      const std::uint32_t first = c == 0 ? 0 : ends[c - 1];
      divide(used[c], ranks.subspan(first, ends[c] - first));
    }
  }

  /// The best of the likely ways; as they are where the time is up.
  void slice(std::span<std::uint32_t> ranks, std::span<const std::uint32_t> ends) {
    if (problem_.budget != nullptr && problem_.budget->is_out_of_time()) return;
    const auto ways = likely_slicings(slicer_.box_around(ranks),
                                      static_cast<std::uint32_t>(ends.size()), most_slicings_);
    if (ways.size() == 1) slicer_.slice(ranks, ends, ways.front());
    if (ways.size() < 2) return;
    std::vector<std::uint32_t> best;
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::uint32_t> ordered;
    for (const Slicing& way : ways) {
      ordered.assign(ranks.begin(), ranks.end());
      slicer_.slice(ordered, ends, way);
      const double cut = weight_between(ordered, ends);
      if (cut >= least) continue;
      least = cut;
      best.swap(ordered);
    }
    std::ranges::copy(best, ranks.begin());
  }

  /// Parts of one set of ranks, each pair twice.
  double weight_between(std::span<const std::uint32_t> ranks, std::span<const std::uint32_t> ends) {
    ++steps_;
    for (std::uint32_t p = 0, i = 0; p < ends.size(); ++p) {
      for (; i < ends[p]; ++i) {
        step_[ranks[i]] = steps_;
        part_[ranks[i]] = p;
      }
    }
    double between = 0;
    for (const std::uint32_t rank : ranks) {
      const auto others = problem_.graph.neighbours(Rank(rank));
      const auto weights = problem_.graph.weights(Rank(rank));
      for (std::size_t i = 0; i < others.size(); ++i) {
        const std::uint32_t other = others[i].value;
        if (step_[other] == steps_ && part_[other] != part_[rank]) {
          between += static_cast<double>(weights[i]);
        }
      }
    }
    return between;
  }

  const MapTask problem_;
  Slicer slicer_;
  SlotTree tree_;
  Filling filling_;
  std::uint64_t most_slicings_;
  std::vector<std::uint32_t> step_;  // by rank: the last weight_between() that it was part of
  std::vector<std::uint32_t> part_;  // and where
  std::uint32_t steps_ = 0;
  Mapping mapping_;
};

}  // namespace

Mapping split_on_tree(const MapTask& problem, const RankSpace& space, Filling filling) {
  const std::vector<std::uint32_t> order = order_in(space);
  if (std::ranges::is_sorted(order)) return Splitter(problem, space, filling).split();
  // Numbered by place, neighbours are near to each other in memory: several times faster.
  const TrafficGraph graph = renumbered(problem.graph, order);
  const MapTask ordered{graph, problem.machine, problem.options, problem.budget};
  RankSpace places = space;
  for (std::size_t i = 0; i < order.size(); ++i) places.place_of[i] = space.place_of[order[i]];
  const Mapping split = Splitter(ordered, places, filling).split();
  Mapping mapping = split;
  for (std::size_t i = 0; i < order.size(); ++i) mapping.slot_of[order[i]] = split.slot_of[i];
  return mapping;
}

}  // namespace kith::tiling
