#include "mapping/multilevel/multilevel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mapping/budget.hpp"
#include "mapping/multilevel/multisect.hpp"
#include "objective/distance.hpp"

namespace kith::multilevel {
namespace {

/// As many as the ranks need, from left to right.
std::vector<std::uint32_t> leaves_in_use(const MapTask& problem, const TreeMachine& tree) {
  const std::uint32_t capacity = problem.options.capacity;
  return tree.allowed_leaves((problem.graph.ranks() + capacity - 1) / capacity);
}

class TreeMultisection {
 public:
  TreeMultisection(const MapTask& problem, const TreeMachine& tree, const Trials& trials,
                   std::uint64_t seed, Budget* budget)
      : problem_(problem),
        tree_(tree),
        trials_(trials),
        budget_(budget),
        leaves_(leaves_in_use(problem, tree)),
        rng_(seed) {
    share_trials();
  }

  std::optional<Mapping> run() {
    mapping_.slot_of.resize(problem_.graph.ranks());
    // Smaller graphs lie in the caches whatever their order.
    constexpr std::uint32_t large = 100'000;  // ranks
    std::vector<std::uint32_t> ranks;
    if (problem_.graph.ranks() >= large) {
      ranks = breadth_first(problem_.graph);
    } else {
      ranks.resize(problem_.graph.ranks());
      std::iota(ranks.begin(), ranks.end(), 0U);
    }
    divide(work_graph(problem_.graph, ranks), ranks, 0, 0);
    if (is_over()) return std::nullopt;
    return std::move(mapping_);
  }

 private:
  /// Gives each level as many trials as it is worth. The worth of a level is about the difference
  /// between its cost and that of the next level, times the length of the borders of its objects,
  /// which grows with the square root of their number.
  void share_trials() {
    const TreeDistance distance(tree_, problem_.options.objective);
    std::vector<double> worth;
    for (unsigned l = 0; l < tree_.depth(); ++l) {
      const double below =
          l + 1 < tree_.depth() ? static_cast<double>(distance.at_level(l + 1)) : 0;
      const double more = std::abs(static_cast<double>(distance.at_level(l)) - below);
      worth.push_back(more * std::sqrt(static_cast<double>(tree_.objects(l + 1))));
    }
    if (problem_.options.capacity == 1) worth.back() = 0;
    const double most = std::ranges::max(worth);
    for (const double one : worth) {
      const double share = most > 0 ? one / most : 1;
      Trials trials = trials_;
      trials.partitions = 1 + static_cast<unsigned>((std::max(trials_.partitions, 1U) - 1) * share);
      trials.cycles = static_cast<unsigned>(std::ceil(trials_.cycles * share));
      trials_of_level_.push_back(trials);
    }
  }

  bool is_over() const { return budget_ != nullptr && budget_->exhausted(); }

  std::uint64_t room(unsigned level, std::uint64_t object) const {
    const auto first = std::ranges::lower_bound(leaves_, tree_.first_leaf(level, object));
    const auto end = std::ranges::lower_bound(leaves_, tree_.first_leaf(level, object + 1));
    return static_cast<std::uint64_t>(end - first) * problem_.options.capacity;
  }

  /// `graph`'s vertices are `ranks`, which go below an object of depth `level`.
  void divide(const WorkGraph& graph, const std::vector<std::uint32_t>& ranks, unsigned level,
              std::uint64_t object) {
    if (level == tree_.depth()) {
      for (const std::uint32_t r : ranks) mapping_.slot_of[r] = tree_.slot_of_leaf(object);
      return;
    }
    std::vector<std::uint64_t> children;
    std::vector<std::uint64_t> sizes;
    std::uint64_t left = ranks.size();
    const std::uint64_t end = tree_.first_child(level, object + 1);
    for (std::uint64_t child = tree_.first_child(level, object); child < end && left > 0; ++child) {
      const std::uint64_t size = std::min(left, room(level + 1, child));
      if (size == 0) continue;
      children.push_back(child);
      sizes.push_back(size);
      left -= size;
    }
    if (children.size() == 1) return divide(graph, ranks, level + 1, children[0]);
    const std::vector<std::uint32_t> part = parts(graph, sizes, level);
    if (is_over()) return;
    std::vector<std::vector<std::uint32_t>> members(sizes.size());
    for (std::uint32_t v = 0; v < part.size(); ++v) members[part[v]].push_back(v);
    std::vector<std::uint32_t> place(graph.vertices(), outside);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const WorkGraph below = induced(graph, members[i], place);
      for (std::uint32_t& v : members[i]) v = ranks[v];
      divide(below, members[i], level + 1, children[i]);
    }
  }

  std::vector<std::uint32_t> parts(const WorkGraph& graph, std::span<const std::uint64_t> sizes,
                                   unsigned level) {
    const bool one_each = level + 1 == tree_.depth() && problem_.options.capacity == 1;
    if (!one_each) return multisect(graph, sizes, trials_of_level_[level], rng_, budget_);
    std::vector<std::uint32_t> part(graph.vertices());  // all places are alike
    std::iota(part.begin(), part.end(), 0U);
    return part;
  }

  const MapTask problem_;
  const TreeMachine& tree_;
  const Trials& trials_;
  std::vector<Trials> trials_of_level_;
  Budget* budget_;
  std::vector<std::uint32_t> leaves_;
  Rng rng_;
  Mapping mapping_;
};

}  // namespace

std::optional<Mapping> multisect_tree(const MapTask& problem, const TreeMachine& tree,
                                      const Trials& trials, std::uint64_t seed, Budget* budget) {
  return TreeMultisection(problem, tree, trials, seed, budget).run();
}

}  // namespace kith::multilevel
