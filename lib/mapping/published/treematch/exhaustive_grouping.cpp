// Lines 11 to 18 of algorithm 1 of the paper: all groups are listed, and three orders of the list
// each give a solution: the first group, the first independent of it, and so on. Every maximal set
// of independent groups is a maximum one, for its complement is a Kneser graph's. The best of
// these and of round robin (elements in their order) is the answer: that which leaves the least
// communication between groups.
//
// Open in the paper and chosen here: of groups that are equal in an order, those with more
// communication inside come first, then the lexicographically lowest; a later solution must be
// strictly better. In the weighted degree a group counts among those not independent of itself.
// These are equally many for all groups, so that the order by their average needs only their sum,
// which has a closed form: no pair of groups is looked at.
#include <algorithm>
#include <limits>
#include <numeric>

#include "mapping/published/treematch/treematch.hpp"
#include "objective/wide.hpp"

namespace kith::treematch {
namespace {

Wide binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  Wide value = 1;
  for (std::uint64_t i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

class GroupList {
 public:
  GroupList(const ElementGraph& graph, std::uint32_t arity)
      : elements_(graph.size()), arity_(arity), between_(std::size_t{elements_} * elements_) {
    for (std::uint32_t e = 0; e < elements_; ++e) {
      const auto neighbours = graph.neighbours_of(e);
      const auto weights = graph.weights_of(e);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        between_[std::size_t{e} * elements_ + neighbours[i]] = weights[i];
      }
      communication_.push_back(graph.communication(e));
      twice_total_ += communication_.back();
    }
    list_all();
  }

  std::vector<std::uint32_t> best() {
    std::vector<std::uint32_t> solution(elements_);
    for (std::uint32_t e = 0; e < elements_; ++e) solution[e] = e / arity_;
    Wide least = outside_of(solution);
    const std::vector<SignedWide> degrees = weighted_degrees();
    const std::vector<std::uint32_t> by_inside = most_inside_first();
    const auto try_order = [&](auto comes_first) {
      auto order = by_inside;
      std::ranges::stable_sort(order, comes_first);
      auto other = first_independent(order);
      const Wide value = outside_of(other);
      if (value >= least) return;
      least = value;
      solution = std::move(other);
    };
    try_order([this](std::uint32_t a, std::uint32_t b) { return outside_[a] < outside_[b]; });
    try_order([this](std::uint32_t a, std::uint32_t b) { return outside_[a] > outside_[b]; });
    try_order([&](std::uint32_t a, std::uint32_t b) { return degrees[a] > degrees[b]; });
    return solution;
  }

 private:
  std::span<const std::uint32_t> group(std::uint32_t g) const {
    return std::span(members_).subspan(std::size_t{g} * arity_, arity_);
  }

  Weight inside(std::span<const std::uint32_t> members) const {
    Weight sum = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        sum += between_[std::size_t{members[i]} * elements_ + members[j]];
      }
    }
    return sum;
  }

  std::vector<std::uint32_t> most_inside_first() const {
    std::vector<std::uint32_t> order(outside_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater{},
                             [this](std::uint32_t g) { return inside(group(g)); });
    return order;
  }

  void list_all() {
    std::vector<std::uint32_t> members(arity_);
    std::iota(members.begin(), members.end(), 0U);
    while (true) {
      members_.insert(members_.end(), members.begin(), members.end());
      Weight sum = 0;  // modulo 2^64: the difference is a cut, which fits
      for (const std::uint32_t e : members) sum += communication_[e];
      outside_.push_back(sum - 2 * inside(members));
      std::uint32_t i = arity_;
      while (i > 0 && members[i - 1] == elements_ - arity_ + i - 1) --i;
      if (i == 0) return;
      for (std::uint32_t next = members[i - 1] + 1; i <= arity_; ++i) members[i - 1] = next++;
    }
  }

  /// The group of each element.
  std::vector<std::uint32_t> first_independent(std::span<const std::uint32_t> order) const {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> group_of(elements_, none);
    std::uint32_t groups = 0;
    for (const std::uint32_t g : order) {
      const auto members = group(g);
      if (std::ranges::any_of(members, [&](std::uint32_t e) { return group_of[e] != none; })) {
        continue;
      }
      for (const std::uint32_t e : members) group_of[e] = groups;
      if (++groups == elements_ / arity_) break;
    }
    number_by_lowest(group_of, groups);
    return group_of;
  }

  /// Sum over the groups of what each sends outside: twice the cut.
  Wide outside_of(const std::vector<std::uint32_t>& group_of) const {
    const Groups lists = groups_of(group_of, elements_ / arity_);
    Wide sum = twice_total_;
    for (std::uint32_t g = 0; g < elements_ / arity_; ++g) sum -= Wide{2} * inside(lists.of(g));
    return sum;
  }

  /// Of each group, up to a number that is the same for all: what all groups that share an element
  /// with it send outside. That is what all do less what the independent ones do. Among the r other
  /// elements, a pair {i, j} parts in C(r-2, a-1) groups with i and as many with j; i and one of
  /// the group's own in C(r-1, a-1).
  std::vector<SignedWide> weighted_degrees() const {
    const std::uint32_t others = elements_ - arity_;
    const auto with_one = static_cast<SignedWide>(binomial(others - 1, arity_ - 1));
    const auto without_another =
        static_cast<SignedWide>(others < 2 ? 0 : binomial(others - 2, arity_ - 1));
    const auto total = static_cast<SignedWide>(twice_total_ / 2);
    std::vector<SignedWide> degrees;
    for (std::uint32_t g = 0; g < outside_.size(); ++g) {
      const auto among_others = total - SignedWide{inside(group(g))} - SignedWide{outside_[g]};
      degrees.push_back(-with_one * SignedWide{outside_[g]} - 2 * without_another * among_others);
    }
    return degrees;
  }

  const std::uint32_t elements_;
  const std::uint32_t arity_;
  std::vector<Weight> between_;  // all pairs: the elements are few
  std::vector<Weight> communication_;
  Wide twice_total_ = 0;
  std::vector<std::uint32_t> members_;
  std::vector<Weight> outside_;
};

}  // namespace

std::vector<std::uint32_t> exhaustive_grouping(const ElementGraph& graph, std::uint32_t arity) {
  return GroupList(graph, arity).best();
}

}  // namespace kith::treematch
