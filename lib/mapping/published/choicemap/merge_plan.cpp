#include "mapping/published/choicemap/mutual_choice.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace kith {
namespace {

/// Leaves first .. last - 1 lie below one object.
struct Interval {
  std::uint32_t first;
  std::uint32_t last;
};

/// Where leaves meet: intervals by level, top down, each list from left to right.
class Meetings {
 public:
  Meetings(const SlotTree& tree, std::uint32_t ranks)
      : tree_(tree),
        used_(std::min<std::uint64_t>(ranks, tree.root().slots())),
        on_each_(static_cast<std::uint32_t>(ranks / used_)),
        one_more_(static_cast<std::uint32_t>(ranks % used_)) {
    visit(tree.root());
  }

  const std::vector<std::vector<Interval>>& by_level() const { return by_level_; }

  std::vector<Slot> slot_of_leaf() const {
    std::vector<Slot> slots;
    slots.reserve(first_leaf(used_));
    for (std::uint64_t p = 0; p < used_; ++p) {
      slots.insert(slots.end(), first_leaf(p + 1) - first_leaf(p), tree_.slot(p));
    }
    return slots;
  }

 private:
  std::uint32_t first_leaf(std::uint64_t position) const {
    const auto p = static_cast<std::uint32_t>(std::min(position, used_));
    return p * on_each_ + std::min(p, one_more_);
  }

  void visit(const SlotTree::Object& object) {
    std::vector<SlotTree::Object> children;
    tree_.children(object, children);
    const unsigned level = children.empty() ? object.level : children.front().level - 1;
    const Interval leaves{first_leaf(object.first), first_leaf(object.last)};
    if (leaves.last - leaves.first > 1) {
      if (by_level_.size() <= level) by_level_.resize(level + 1);
      by_level_[level].push_back(leaves);
    }
    for (const SlotTree::Object& child : children) {
      if (child.first >= used_) break;
      visit(child);
    }
  }

  const SlotTree& tree_;
  std::uint64_t used_;
  std::uint32_t on_each_;
  std::uint32_t one_more_;
  std::vector<std::vector<Interval>> by_level_;
};

class Planner {
 public:
  explicit Planner(std::uint32_t ranks) : places_(ranks), first_leaf_(ranks) {
    for (std::uint32_t leaf = 0; leaf < ranks; ++leaf) first_leaf_[leaf] = leaf;
  }

  /// Rounds until each interval is one place.
  void merge(const std::vector<Interval>& intervals, std::vector<std::vector<Place>>& rounds) {
    while (merge_once(intervals)) rounds.push_back(places_);
  }

 private:
  /// False when there is nothing to merge.
  bool merge_once(const std::vector<Interval>& intervals) {
    std::vector<Place> merged;
    std::vector<std::uint32_t> first_leaf;
    std::unordered_map<std::uint64_t, std::uint32_t> type_of_pair;
    auto interval = intervals.begin();
    for (std::uint32_t p = 0; p < places_.size();) {
      while (interval != intervals.end() && interval->last <= first_leaf_[p]) ++interval;
      const bool inside = interval != intervals.end() && interval->first <= first_leaf_[p];
      const bool with_next =
          inside && p + 1 < places_.size() && first_leaf_[p + 1] < interval->last;
      first_leaf.push_back(first_leaf_[p]);
      merged.push_back(with_next ? pair_of(p, p + 1, type_of_pair) : Place{places_[p].type, p});
      p += with_next ? 2 : 1;
    }
    if (merged.size() == places_.size()) return false;
    places_ = std::move(merged);
    first_leaf_ = std::move(first_leaf);
    return true;
  }

  Place pair_of(std::uint32_t a, std::uint32_t b,
                std::unordered_map<std::uint64_t, std::uint32_t>& type_of_pair) {
    if (places_[a].type > places_[b].type) std::swap(a, b);
    const std::uint64_t key = (std::uint64_t{places_[a].type} << 32U) | places_[b].type;
    const auto [found, is_new] = type_of_pair.try_emplace(key, next_type_);
    if (is_new) ++next_type_;
    return {found->second, a, b};
  }

  std::vector<Place> places_;
  std::vector<std::uint32_t> first_leaf_;  // of each place, ascending
  std::uint32_t next_type_ = 1;
};

}  // namespace

MergePlan merge_plan(const SlotTree& tree, std::uint32_t ranks) {
  const Meetings meetings(tree, ranks);
  MergePlan plan;
  plan.slot_of_leaf = meetings.slot_of_leaf();
  Planner planner(ranks);
  const auto& levels = meetings.by_level();
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    planner.merge(*level, plan.rounds);
  }
  return plan;
}

}  // namespace kith
