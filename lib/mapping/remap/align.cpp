#include "mapping/remap/remap.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "mapping/budget.hpp"
#include "mapping/remap/hierarchy.hpp"
#include "mapping/value.hpp"

namespace kith {
namespace {

using remap::assign;
using remap::Entry;
using remap::Hierarchy;

/// Contents of object a that would stay if they went to object b, both of one depth.
struct Overlap {
  std::uint32_t parent_a;
  std::uint32_t parent_b;
  Entry entry;
};

auto parents_of(const Overlap& overlap) {
  return std::pair(overlap.parent_a, overlap.parent_b);
}

/// Where the contents of an object go.
struct Target {
  std::uint32_t from;
  std::uint32_t to;
};

class HierarchyAligner {
 public:
  HierarchyAligner(const MapTask& problem, Hierarchy hierarchy, const Mapping& mapping)
      : problem_(problem),
        hierarchy_(std::move(hierarchy)),
        mapping_(mapping),
        overlaps_(hierarchy_.depth() + 1),
        contents_(hierarchy_.depth() + 1),
        pinned_(hierarchy_.depth() + 1) {}

  Mapping run() {
    find_contents();
    find_pinned();
    find_overlaps();
    std::vector<Target> targets{{0, 0}};
    for (unsigned level = 1; level <= hierarchy_.depth(); ++level) {
      std::vector<Target> below;
      for (const Target& target : targets) place_children(level, target, below);
      targets = std::move(below);
    }
    return turned(std::move(targets));
  }

 private:
  /// The objects of each depth that hold ranks.
  void find_contents() {
    std::vector<std::uint32_t> objects;
    for (const Slot slot : mapping_.slot_of) objects.push_back(hierarchy_.leaf_of(slot));
    std::ranges::sort(objects);
    for (unsigned level = hierarchy_.depth(); level > 0; --level) {
      objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
      contents_[level] = objects;
      for (std::uint32_t& object : objects) object = hierarchy_.parent(level, object);
    }
  }

  void find_pinned() {
    for (const FixedRank& fixed : problem_.options.fixed) {
      std::uint32_t object = hierarchy_.leaf_of(fixed.slot);
      for (unsigned level = hierarchy_.depth(); level > 0; --level) {
        pinned_[level].insert(object);
        object = hierarchy_.parent(level, object);
      }
    }
  }

  bool stays(unsigned level, std::uint32_t object) const {
    return level <= hierarchy_.fixed_depth() || pinned_[level].contains(object);
  }

  /// Whether the contents of a may go to b.
  bool fits(unsigned level, std::uint32_t a, std::uint32_t b) {
    if (a == b) return true;
    if (stays(level, a) || stays(level, b)) return false;
    return hierarchy_.shape(level, a) == hierarchy_.shape(level, b);
  }

  /// From the leaves up: how much can stay if the contents of one object go to another.
  void find_overlaps() {
    std::vector<Entry> entries = overlaps_of_leaves();
    for (unsigned level = hierarchy_.depth(); level > 0; --level) {
      std::erase_if(entries, [&](const Entry& one) { return !fits(level, one.a, one.b); });
      std::vector<Overlap>& overlaps = overlaps_[level];
      overlaps.reserve(entries.size());
      for (const Entry& one : entries) {
        overlaps.push_back({hierarchy_.parent(level, one.a), hierarchy_.parent(level, one.b), one});
      }
      std::ranges::sort(overlaps, [](const Overlap& x, const Overlap& y) {
        return std::tuple(parents_of(x), x.entry.a, x.entry.b) <
               std::tuple(parents_of(y), y.entry.a, y.entry.b);
      });
      entries = overlaps_of_parents(overlaps);
    }
  }

  std::vector<Entry> overlaps_of_leaves() const {
    std::vector<Target> places;
    for (Rank r(0); r.value < mapping_.ranks(); ++r) {
      const Slot place = (*problem_.options.from)[r];
      if (!problem_.machine.allowed().contains(place)) continue;
      places.push_back({hierarchy_.leaf_of(mapping_[r]), hierarchy_.leaf_of(place)});
    }
    std::ranges::sort(places, [](const Target& x, const Target& y) {
      return std::pair(x.from, x.to) < std::pair(y.from, y.to);
    });
    std::vector<Entry> entries;
    for (const Target& one : places) {
      if (entries.empty() || entries.back().a != one.from || entries.back().b != one.to) {
        entries.push_back({one.from, one.to, 0});
      }
      ++entries.back().weight;
    }
    return entries;
  }

  std::vector<Entry> overlaps_of_parents(std::span<const Overlap> overlaps) const {
    std::vector<Entry> parents;
    for (std::size_t first = 0; first < overlaps.size();) {
      std::size_t last = first;
      while (last < overlaps.size() && parents_of(overlaps[last]) == parents_of(overlaps[first])) {
        ++last;
      }
      std::uint32_t weight = 0;
      for (const Entry& one : best_of(overlaps.subspan(first, last - first))) weight += one.weight;
      parents.push_back({overlaps[first].parent_a, overlaps[first].parent_b, weight});
      first = last;
    }
    return parents;
  }

  std::vector<Entry> best_of(std::span<const Overlap> overlaps) const {
    // Half a second for all objects of a level, or so.
    const std::uint64_t effort_for_each =
        std::clamp<std::uint64_t>((1ULL << 29) / (mapping_.ranks() + 1ULL), 64, 1ULL << 16);
    std::vector<Entry> entries;
    entries.reserve(overlaps.size());
    for (const Overlap& overlap : overlaps) entries.push_back(overlap.entry);
    return assign(entries, effort_for_each * entries.size());
  }

  /// Appends where the contents of the children of `target.from`, of depth `level`, go.
  void place_children(unsigned level, Target target, std::vector<Target>& out) {
    const auto children = children_with_contents(level, target.from);
    std::unordered_set<std::uint32_t> taken;
    std::vector<std::uint32_t> left;
    const auto place = [&](std::uint32_t child, std::uint32_t to) {
      taken.insert(to);
      out.push_back({child, to});
    };
    std::unordered_set<std::uint32_t> placed;
    const std::pair parents(target.from, target.to);
    const auto first = std::ranges::lower_bound(overlaps_[level], parents, {}, parents_of);
    const auto end = std::ranges::upper_bound(overlaps_[level], parents, {}, parents_of);
    for (const Entry& one : best_of({first, end})) {
      placed.insert(one.a);
      place(one.a, one.b);
    }
    const std::uint64_t first_from = hierarchy_.first_child(level - 1, target.from);
    const std::uint64_t first_to = hierarchy_.first_child(level - 1, target.to);
    const std::uint64_t end_to = hierarchy_.first_child(level - 1, std::uint64_t{target.to} + 1);
    for (const std::uint32_t child : children) {
      if (placed.contains(child)) continue;
      const std::uint64_t same_index = first_to + (child - first_from);
      const auto to = static_cast<std::uint32_t>(same_index);
      if (same_index < end_to && !taken.contains(to) && fits(level, child, to)) {
        place(child, to);
      } else {
        left.push_back(child);
      }
    }
    place_anywhere(level, left, first_to, taken, out);
  }

  /// Those for which nothing speaks: on the first object of their shape that is free.
  void place_anywhere(unsigned level, std::span<const std::uint32_t> children,
                      std::uint64_t first_to, std::unordered_set<std::uint32_t>& taken,
                      std::vector<Target>& out) {
    std::map<std::uint32_t, std::uint64_t> next_of_shape;
    for (const std::uint32_t child : children) {
      std::uint64_t& to =
          next_of_shape.try_emplace(hierarchy_.shape(level, child), first_to).first->second;
      while (taken.contains(static_cast<std::uint32_t>(to)) ||
             !fits(level, child, static_cast<std::uint32_t>(to))) {
        ++to;
      }
      taken.insert(static_cast<std::uint32_t>(to));
      out.push_back({child, static_cast<std::uint32_t>(to)});
    }
  }

  std::span<const std::uint32_t> children_with_contents(unsigned level,
                                                        std::uint32_t object) const {
    const std::vector<std::uint32_t>& all = contents_[level];
    const auto first = std::ranges::lower_bound(all, hierarchy_.first_child(level - 1, object));
    const auto last = std::ranges::lower_bound(
        first, all.end(), hierarchy_.first_child(level - 1, std::uint64_t{object} + 1));
    return {first, last};
  }

  Mapping turned(std::vector<Target> targets) const {
    std::ranges::sort(targets, {}, &Target::from);
    Mapping mapping = mapping_;
    for (Slot& slot : mapping.slot_of) {
      const auto target =
          std::ranges::lower_bound(targets, hierarchy_.leaf_of(slot), {}, &Target::from);
      slot = hierarchy_.slot_of(target->to);
    }
    return mapping;
  }

  const MapTask problem_;
  Hierarchy hierarchy_;
  const Mapping& mapping_;
  std::vector<std::vector<Overlap>> overlaps_;             // by depth
  std::vector<std::vector<std::uint32_t>> contents_;       // by depth, ascending
  std::vector<std::unordered_set<std::uint32_t>> pinned_;  // by depth: above fixed ranks
};

}  // namespace

Mapping align(const MapTask& problem, Mapping mapping) {
  const Mapping& from = *problem.options.from;
  if (moved_ranks(from, mapping) == 0) return mapping;
  Mapping turned = remap::turn_grid(problem, mapping).value_or(mapping);
  if (auto hierarchy = Hierarchy::of(problem.machine)) {
    turned = HierarchyAligner(problem, std::move(*hierarchy), turned).run();
  }
  return moved_ranks(from, turned) < moved_ranks(from, mapping) ? turned : mapping;
}

}  // namespace kith
