#include "mapping/refine/refine.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "mapping/budget.hpp"
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

/// What each rank sends to each object is kept by object, so that a rank is tested against all
/// others in a few passes over rows.
class DenseSwaps {
 public:
  DenseSwaps(const MapTask& problem, const TreeMachine& tree, Mapping mapping)
      : graph_(problem.graph),
        mapping_(std::move(mapping)),
        levels_(tree.depth() - 1),
        ranks_(graph_.ranks()),
        object_of_(levels_ * ranks_),
        sent_(objects_inside(tree) * ranks_),
        saved_(ranks_),
        sent_to_(ranks_),
        sent_by_(objects_inside(tree)),
        gain_(ranks_) {
    const TreeDistance distance(tree, problem.options.objective);
    std::uint64_t first = 0;
    for (unsigned l = 0; l < levels_; ++l) {
      saving_.push_back(static_cast<std::int64_t>(distance.at_level(l)) -
                        static_cast<std::int64_t>(distance.at_level(l + 1)));
      for (std::uint32_t r = 0; r < ranks_; ++r) {
        const std::uint32_t leaf = tree.leaf_of_slot(mapping_.slot_of[r]);
        object(r, l) = static_cast<std::uint32_t>(first + tree.ancestor(leaf, l + 1));
      }
      first += tree.objects(l + 1);
    }
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      for (unsigned l = 0; l < levels_; ++l) send_to(r, l, 1);
    }
  }

  Mapping run(std::uint64_t most_tests, Budget* budget) {
    std::uint64_t tests = 0;
    // As many in a row without a gain: none has any.
    for (std::uint32_t r = 0, idle = 0; idle < ranks_; r = r + 1 < ranks_ ? r + 1 : 0) {
      if (tests >= most_tests || (budget != nullptr && !budget->spend(ranks_))) break;
      tests += ranks_;
      idle = improve(r) ? 0 : idle + 1;
    }
    return std::move(mapping_);
  }

 private:
  std::uint32_t& object(std::uint32_t r, unsigned level) { return object_of_[level * ranks_ + r]; }
  std::int64_t* sent_to_object(std::uint32_t object) { return &sent_[object * ranks_]; }

  /// What the traffic of `r` saves at its place.
  void add_up(std::uint32_t r) {
    saved_[r] = 0;
    for (unsigned l = 0; l < levels_; ++l) {
      saved_[r] += saving_[l] * sent_to_object(object(r, l))[r];
    }
  }

  /// What swaps of `r` with each other rank gain.
  void compute_gains(std::uint32_t r) {
    for (std::size_t o = 0; o < sent_by_.size(); ++o) sent_by_[o] = sent_[o * ranks_ + r];
    for (std::size_t other = 0; other < ranks_; ++other) gain_[other] = -saved_[r] - saved_[other];
    for (unsigned l = 0; l < levels_; ++l) {
      const std::int64_t saving = saving_[l];
      const std::uint32_t here = object(r, l);
      const std::int64_t* const sent_here = sent_to_object(here);
      const std::uint32_t* const there = &object_of_[l * ranks_];
      for (std::size_t other = 0; other < ranks_; ++other) {
        // The pair's own traffic stays as far apart as it was.
        const std::int64_t own = there[other] != here ? 2 * sent_to_[other] : 0;
        gain_[other] += saving * (sent_here[other] + sent_by_[there[other]] - own);
      }
    }
  }

  bool improve(std::uint32_t r) {
    const auto neighbours = graph_.neighbours(Rank(r));
    const auto weights = graph_.weights(Rank(r));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      sent_to_[neighbours[i].value] = static_cast<std::int64_t>(weights[i]);
    }
    compute_gains(r);
    for (const Rank neighbour : neighbours) sent_to_[neighbour.value] = 0;
    const auto best = std::ranges::max_element(gain_);
    if (*best <= 0) return false;
    swap(r, static_cast<std::uint32_t>(best - gain_.begin()));
    return true;
  }

  void swap(std::uint32_t a, std::uint32_t b) {
    std::swap(mapping_.slot_of[a], mapping_.slot_of[b]);
    for (unsigned l = 0; l < levels_; ++l) {
      if (object(a, l) == object(b, l)) continue;
      send_to(a, l, -1);
      send_to(b, l, -1);
      std::swap(object(a, l), object(b, l));
      send_to(a, l, 1);
      send_to(b, l, 1);
    }
    add_up(a);
    add_up(b);
  }

  /// All that talk to `r` send it to its object from now on, or no more.
  void send_to(std::uint32_t r, unsigned level, std::int64_t sign) {
    const std::uint32_t here = object(r, level);
    std::int64_t* const sent = sent_to_object(here);
    const std::uint32_t* const there = &object_of_[level * ranks_];
    const auto neighbours = graph_.neighbours(Rank(r));
    const auto weights = graph_.weights(Rank(r));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t neighbour = neighbours[i].value;
      const std::int64_t more = sign * static_cast<std::int64_t>(weights[i]);
      sent[neighbour] += more;
      if (there[neighbour] == here) saved_[neighbour] += saving_[level] * more;
    }
  }

  const TrafficGraph& graph_;
  Mapping mapping_;
  const unsigned levels_;
  const std::size_t ranks_;
  std::vector<std::int64_t> saving_;      ///< [level]: of a unit of weight inside, not outside
  std::vector<std::uint32_t> object_of_;  ///< [level][rank]
  std::vector<std::int64_t> sent_;        ///< [object][rank]
  std::vector<std::int64_t> saved_;       ///< [rank]
  std::vector<std::int64_t> sent_to_;     ///< [rank], by the one that is looked at
  std::vector<std::int64_t> sent_by_;     ///< [object], by the same one
  std::vector<std::int64_t> gain_;        ///< [rank], of a swap with the one that is looked at
};

}  // namespace

bool can_refine_dense(const MapTask& problem) {
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

Mapping refine_dense(const MapTask& problem, Mapping mapping, std::uint64_t most_tests,
                     Budget* budget) {
  return DenseSwaps(problem, *problem.machine.as_tree(), std::move(mapping))
      .run(most_tests, budget);
}

}  // namespace kith
