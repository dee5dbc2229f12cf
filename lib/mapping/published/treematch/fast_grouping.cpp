// Fast grouping, section 4.2.2 of the paper: one group after the other; for each, ten possible ones
// are built greedily of free elements, and that with the most communication inside is taken.
//
// Open in the paper and chosen here: all ten begin with the same element (FreeElements::seed()) and
// grow in step: of all groups with one element more, the ten best go on. Equally good groups come
// in the order of their elements. What speaks to no free element is completed by the
// cheapest.
#include <algorithm>
#include <array>

#include "mapping/published/treematch/treematch.hpp"

namespace kith::treematch {
namespace {

constexpr std::size_t max_arity = 5;
constexpr std::size_t most_groups_kept = 10;

struct Group {
  std::array<std::uint32_t, max_arity> members{};  // ascending
  std::uint32_t size = 0;
  Weight inside = 0;

  std::span<const std::uint32_t> elements() const { return std::span(members).first(size); }
  bool contains(std::uint32_t element) const {
    return std::ranges::find(elements(), element) != elements().end();
  }
  Group with(std::uint32_t element, Weight gained) const {
    Group grown = *this;
    std::uint32_t at = grown.size++;
    for (; at > 0 && grown.members[at - 1] > element; --at) {
      grown.members[at] = grown.members[at - 1];
    }
    grown.members[at] = element;
    grown.inside += gained;
    return grown;
  }
  /// Better groups first.
  bool operator<(const Group& other) const {
    return inside != other.inside ? inside > other.inside : members < other.members;
  }
  bool operator==(const Group& other) const { return members == other.members; }
};

class GroupFinder {
 public:
  GroupFinder(const ElementGraph& graph, std::uint32_t arity)
      : graph_(graph), arity_(arity), free_(graph), gained_(graph.size()) {}

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> group_of(graph_.size());
    std::uint32_t groups = 0;
    while (!free_.empty()) {
      const Group best = best_group();
      for (const std::uint32_t element : best.elements()) {
        group_of[element] = groups;
        free_.take(element);
      }
      ++groups;
    }
    number_by_lowest(group_of, groups);
    return group_of;
  }

 private:
  Group best_group() {
    std::vector<Group> groups{Group().with(free_.seed(), 0)};
    for (std::uint32_t size = 1; size < arity_; ++size) {
      std::vector<Group> grown;
      for (const Group& group : groups) grow(group, grown);
      std::ranges::sort(grown, std::less{});
      const auto repeated = std::unique(grown.begin(), grown.end());
      grown.erase(repeated, grown.end());
      grown.resize(std::min(grown.size(), most_groups_kept));
      groups = std::move(grown);
    }
    return groups.front();
  }

  /// Appends the best ways to enlarge a group.
  void grow(const Group& group, std::vector<Group>& out) {
    reached_.clear();
    for (const std::uint32_t member : group.elements()) {
      const auto neighbours = graph_.neighbours_of(member);
      const auto weights = graph_.weights_of(member);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const std::uint32_t other = neighbours[i];
        if (weights[i] == 0 || !free_.contains(other) || group.contains(other)) continue;
        if (gained_[other] == 0) reached_.push_back(other);
        gained_[other] += weights[i];
      }
    }
    const auto better = [this](std::uint32_t a, std::uint32_t b) {
      return gained_[a] != gained_[b] ? gained_[a] > gained_[b] : a < b;
    };
    const std::size_t kept = std::min(reached_.size(), most_groups_kept);
    std::ranges::nth_element(reached_, reached_.begin() + static_cast<std::ptrdiff_t>(kept),
                             better);
    for (std::size_t i = 0; i < kept; ++i) {
      out.push_back(group.with(reached_[i], gained_[reached_[i]]));
    }
    if (kept == 0) {
      out.push_back(
          group.with(free_.cheapest([&](std::uint32_t e) { return group.contains(e); }), 0));
    }
    for (const std::uint32_t element : reached_) gained_[element] = 0;
  }

  const ElementGraph& graph_;
  const std::uint32_t arity_;
  FreeElements free_;
  std::vector<Weight> gained_;  // all 0 between calls of grow()
  std::vector<std::uint32_t> reached_;
};

}  // namespace

std::vector<std::uint32_t> fast_grouping(const ElementGraph& graph, std::uint32_t arity) {
  return GroupFinder(graph, arity).run();
}

}  // namespace kith::treematch
