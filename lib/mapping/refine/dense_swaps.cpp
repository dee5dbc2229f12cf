#include "mapping/refine/dense_swaps.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "kith/tree_machine.hpp"
#include "objective/distance.hpp"
#include "objective/wide.hpp"

namespace kith {
namespace {

/// Objects above the slots, all levels but the root's.
std::uint64_t objects_inside(const TreeMachine& tree) {
  std::uint64_t objects = 0;
  for (unsigned level = 1; level < tree.depth(); ++level) objects += tree.objects(level);
  return objects;
}

class DenseSwaps {
 public:
  DenseSwaps(const MapProblem& problem, const TreeMachine& tree, Mapping mapping)
      : graph_(problem.graph),
        mapping_(std::move(mapping)),
        levels_(tree.depth() - 1),
        objects_(objects_inside(tree)),
        object_of_(std::size_t{graph_.ranks()} * levels_),
        sent_(graph_.ranks() * objects_),
        sent_to_(graph_.ranks()) {
    const TreeDistance distance(tree, problem.options.objective);
    std::uint64_t first = 0;
    for (unsigned l = 0; l < levels_; ++l) {
      saving_.push_back(static_cast<std::int64_t>(distance.at_level(l)) -
                        static_cast<std::int64_t>(distance.at_level(l + 1)));
      for (std::uint32_t r = 0; r < graph_.ranks(); ++r) {
        const std::uint32_t leaf = tree.leaf_of_slot(mapping_.slot_of[r]);
        object(r, l) = static_cast<std::uint32_t>(first + tree.ancestor(leaf, l + 1));
      }
      first += tree.objects(l + 1);
    }
    for (std::uint32_t r = 0; r < graph_.ranks(); ++r) {
      for (unsigned l = 0; l < levels_; ++l) send_to(r, object(r, l), 1);
    }
  }

  Mapping run(std::uint64_t most_tests, Budget* budget) {
    const std::uint32_t ranks = graph_.ranks();
    std::uint64_t tests = 0;
    // As many in a row without a gain: none has any.
    for (std::uint32_t r = 0, idle = 0; idle < ranks; r = r + 1 < ranks ? r + 1 : 0) {
      if (tests >= most_tests || (budget != nullptr && !budget->spend(ranks))) break;
      tests += ranks;
      idle = improve(r) ? 0 : idle + 1;
    }
    return std::move(mapping_);
  }

 private:
  std::uint32_t& object(std::uint32_t r, unsigned level) {
    return object_of_[std::size_t{r} * levels_ + level];
  }

  /// What the traffic of `r` saves at its place beyond what it would save in that of `other`.
  std::int64_t lost(std::uint32_t r, std::uint32_t other) {
    const std::int64_t* const sent = &sent_[r * objects_];
    std::int64_t sum = 0;
    for (unsigned l = 0; l < levels_; ++l) {
      sum += saving_[l] * (sent[object(r, l)] - sent[object(other, l)]);
    }
    return sum;
  }

  /// What the pair's own traffic seems to gain, which stays as far apart as it was.
  std::int64_t unchanged(std::uint32_t r, std::uint32_t other) {
    std::int64_t saving = 0;
    for (unsigned l = 0; l < levels_; ++l) {
      if (object(r, l) != object(other, l)) saving += saving_[l];
    }
    return 2 * saving * sent_to_[other];
  }

  bool improve(std::uint32_t r) {
    const auto neighbours = graph_.neighbours(Rank(r));
    const auto weights = graph_.weights(Rank(r));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      sent_to_[neighbours[i].value] = static_cast<std::int64_t>(weights[i]);
    }
    std::int64_t best = 0;
    std::uint32_t partner = r;
    for (std::uint32_t other = 0; other < graph_.ranks(); ++other) {
      const std::int64_t more = lost(r, other) + lost(other, r) + unchanged(r, other);
      if (more < best) best = more, partner = other;
    }
    for (const Rank neighbour : neighbours) sent_to_[neighbour.value] = 0;
    if (partner != r) swap(r, partner);
    return partner != r;
  }

  void swap(std::uint32_t a, std::uint32_t b) {
    std::swap(mapping_.slot_of[a], mapping_.slot_of[b]);
    for (unsigned l = 0; l < levels_; ++l) {
      if (object(a, l) == object(b, l)) continue;
      send_to(a, object(a, l), -1);
      send_to(b, object(b, l), -1);
      std::swap(object(a, l), object(b, l));
      send_to(a, object(a, l), 1);
      send_to(b, object(b, l), 1);
    }
  }

  /// All that talk to `r` send it to `object` from now on, or no more.
  void send_to(std::uint32_t r, std::uint32_t object, std::int64_t sign) {
    const auto neighbours = graph_.neighbours(Rank(r));
    const auto weights = graph_.weights(Rank(r));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      sent_[neighbours[i].value * objects_ + object] +=
          sign * static_cast<std::int64_t>(weights[i]);
    }
  }

  const TrafficGraph& graph_;
  Mapping mapping_;
  const unsigned levels_;
  const std::size_t objects_;
  std::vector<std::int64_t> saving_;      ///< [level]: of a unit of weight inside, not outside
  std::vector<std::uint32_t> object_of_;  ///< [rank][level]
  std::vector<std::int64_t> sent_;        ///< [rank][object]
  std::vector<std::int64_t> sent_to_;     ///< [rank], by the one that is looked at
};

}  // namespace

bool can_refine_dense(const MapProblem& problem) {
  const TreeMachine* tree = problem.machine.as_tree();
  const MapOptions& options = problem.options;
  if (tree == nullptr || tree->depth() < 2 || options.capacity > 1 || !options.fixed.empty() ||
      options.from || options.goal) {
    return false;
  }
  const TreeDistance distance(*tree, options.objective);
  const Wide largest = std::max(distance.at_level(0), distance.at_level(tree->depth() - 1));
  const Wide sum = Wide{4} * total_weight(problem.graph) * largest * tree->depth();
  return sum <= std::numeric_limits<std::int64_t>::max() &&
         objects_inside(*tree) <= 4 * problem.graph.edges() / std::max(problem.graph.ranks(), 1U);
}

Mapping refine_dense(const MapProblem& problem, Mapping mapping, std::uint64_t most_tests,
                     Budget* budget) {
  return DenseSwaps(problem, *problem.machine.as_tree(), std::move(mapping))
      .run(most_tests, budget);
}

}  // namespace kith
