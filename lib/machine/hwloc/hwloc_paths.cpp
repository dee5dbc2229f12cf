#include "machine/hwloc/hwloc_topology.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace kith {
namespace {

/// Renumbers ids by first appearance. Returns how many there are.
std::uint32_t number_by_first_slot(std::vector<std::uint32_t>& group_of) {
  std::unordered_map<std::uint32_t, std::uint32_t> known;
  for (std::uint32_t& id : group_of) {
    id = known.try_emplace(id, static_cast<std::uint32_t>(known.size())).first->second;
  }
  return static_cast<std::uint32_t>(known.size());
}

/// As each level refines the one above, two neighbours repeat each other when they have equally
/// many objects.
std::vector<Grouping> shared_levels(std::vector<Grouping> levels, std::uint32_t slots) {
  std::vector<Grouping> kept;
  std::uint32_t objects_above = 0;
  for (Grouping& level : levels) {
    const std::uint32_t objects = number_by_first_slot(level.group_of);
    const bool is_root = kept.empty();
    if (!is_root && objects == objects_above && level.measured.cost != 0) {
      kept.back().measured = level.measured;
    }
    if (!is_root && (objects == objects_above || objects == slots)) continue;
    objects_above = objects;
    kept.push_back(std::move(level));
  }
  return kept;
}

}  // namespace

TreeDescription tree_from_groupings(std::vector<Grouping> levels, std::uint32_t slots) {
  levels = shared_levels(std::move(levels), slots);

  std::vector<std::uint32_t> order(slots);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    for (const Grouping& level : levels) {
      if (level.group_of[a] != level.group_of[b]) return level.group_of[a] < level.group_of[b];
    }
    return a < b;
  });

  TreeDescription tree;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    // An object ends where the slots' groups change; its children are the objects of the next
    // level, or slots.
    std::vector<std::uint32_t> children;
    for (std::uint32_t i = 0; i < slots; ++i) {
      const auto differ = [&](std::size_t level) {
        return levels[level].group_of[order[i]] != levels[level].group_of[order[i - 1]];
      };
      const bool new_object = i == 0 || differ(l);
      const bool new_child = new_object || l + 1 == levels.size() || differ(l + 1);
      if (new_object) children.push_back(0);
      if (new_child) ++children.back();
    }
    tree.children.push_back(std::move(children));
    tree.names.push_back(std::move(levels[l].name));
    tree.measured.push_back(std::move(levels[l].measured));
  }
  if (!std::ranges::is_sorted(order)) {
    tree.slot_of_leaf.reserve(slots);
    for (const std::uint32_t slot : order) tree.slot_of_leaf.emplace_back(slot);
  }
  return tree;
}

PathGroupings::PathGroupings(std::vector<std::string> level_names) {
  for (std::string& name : level_names) levels_.push_back({std::move(name), {}});
}

void PathGroupings::add_slot(const std::vector<Step>& chain) {
  // Ids of objects and of slots that stand alone share one numbering.
  const auto fresh = [this] { return static_cast<std::uint32_t>(ids_.size()) + slots_; };
  std::uint32_t below = fresh();  // nothing of the chain is below the last step: the slot alone
  auto step = chain.rbegin();
  ++slots_;
  for (std::size_t level = levels_.size(); level-- > 0;) {
    if (step != chain.rend() && step->level == level) {
      below = ids_.try_emplace(step->identity, fresh()).first->second;
      ++step;
    }
    levels_[level].group_of.push_back(below);
  }
}

std::vector<HwlocStep> chain_above(const hwloc_obj* object) {
  std::vector<HwlocStep> chain;
  for (; object->parent != nullptr; object = object->parent) {
    chain.push_back({static_cast<unsigned>(object->depth), object->logical_index});
  }
  std::ranges::reverse(chain);
  return chain;
}

}  // namespace kith
