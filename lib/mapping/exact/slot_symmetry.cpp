#include "mapping/exact/exact_search.hpp"

#include <algorithm>
#include <utility>

#include "objective/distance.hpp"

namespace kith::exact {
namespace {

constexpr std::size_t most_fixed = 2;      // slots in use for which any symmetry is looked for
constexpr unsigned most_attempts = 20000;  // steps of the searches for all of them

/// Looks for a symmetry of the distances, point by point.
class SymmetrySearch {
 public:
  explicit SymmetrySearch(const DistanceTable& distance)
      : distance_(distance), image_of_(distance.slots()), row_(distance.slots()) {
    for (std::size_t a = 0; a < distance.slots(); ++a) {
      for (std::size_t b = 0; b < distance.slots(); ++b) row_[a].push_back(distance(a, b));
      std::ranges::sort(row_[a]);
    }
  }

  /// One that keeps the fixed slots and takes `a` to `b`.
  bool exists(std::span<const std::size_t> fixed, std::size_t a, std::size_t b) {
    if (row_[a] != row_[b]) return false;
    order_.clear();
    taken_.assign(distance_.slots(), false);
    mapped_.assign(distance_.slots(), false);
    for (const std::size_t slot : fixed) {
      if (!assign(slot, slot)) return false;
    }
    if (!assign(a, b)) return false;
    return extend();
  }

 private:
  bool fits(std::size_t from, std::size_t to) const {
    return std::ranges::all_of(order_, [&](std::size_t other) {
      return distance_(from, other) == distance_(to, image_of_[other]);
    });
  }

  bool assign(std::size_t from, std::size_t to) {
    if (taken_[to] || !fits(from, to)) return false;
    order_.push_back(from);
    image_of_[from] = to;
    taken_[to] = mapped_[from] = true;
    return true;
  }

  bool extend() {
    if (order_.size() == distance_.slots()) return true;
    std::size_t next = 0;
    while (mapped_[next]) ++next;
    for (std::size_t to = 0; to < distance_.slots() && attempts_left_ > 0; ++to) {
      --attempts_left_;
      if (!assign(next, to)) continue;
      if (extend()) return true;
      order_.pop_back();
      taken_[to] = mapped_[next] = false;
    }
    return false;
  }

  const DistanceTable& distance_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> image_of_;
  std::vector<std::vector<std::uint64_t>> row_;  // sorted: those of like slots are equal
  std::vector<bool> taken_;
  std::vector<bool> mapped_;
  unsigned attempts_left_ = most_attempts;
};

}  // namespace

DistanceTable::DistanceTable(const Machine& machine, Objective objective,
                             std::span<const Slot> slots)
    : slots_(slots.size()) {
  at_.reserve(slots_ * slots_);
  with_distance(machine, objective, [&](const auto& distance) {
    for (const Slot a : slots) {
      for (const Slot b : slots) at_.push_back(distance(a, b));
    }
  });
}

SlotSymmetry::SlotSymmetry(const Machine& machine, std::span<const Slot> slots,
                           const DistanceTable& distance)
    : distance_(distance) {
  if (const TreeMachine* tree = machine.as_tree()) {
    find_shapes(*tree, slots);
  } else {
    find_twins();
  }
}

void SlotSymmetry::find_shapes(const TreeMachine& tree, std::span<const Slot> slots) {
  const unsigned depth = tree.depth();
  object_.assign(depth + 1, std::vector<std::uint64_t>(slots.size()));
  chain_.assign(depth + 1, std::vector<std::size_t>(slots.size()));
  for (std::size_t s = 0; s < slots.size(); ++s) {
    for (unsigned l = 0; l <= depth; ++l) {
      object_[l][s] = tree.ancestor(tree.leaf_of_slot(slots[s]), l);
    }
  }
  std::vector<std::size_t> shape(slots.size());  // of the object above each slot
  for (unsigned l = depth; l-- > 0;) {
    std::map<std::uint64_t, std::map<std::uint64_t, std::size_t>> children;
    for (std::size_t s = 0; s < slots.size(); ++s) {
      children[object_[l][s]][object_[l + 1][s]] = shape[s];
    }
    std::map<std::vector<std::size_t>, std::size_t> shapes;
    std::map<std::uint64_t, std::size_t> shape_of;
    for (const auto& [object, own] : children) {
      std::vector<std::size_t> parts;
      for (const auto& [child, part] : own) parts.push_back(part);
      std::ranges::sort(parts);
      shape_of[object] = shapes.emplace(std::move(parts), shapes.size()).first->second;
    }
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> chains;
    for (std::size_t s = 0; s < slots.size(); ++s) {
      shape[s] = shape_of[object_[l][s]];
      chain_[l][s] =
          chains.emplace(std::pair{shape[s], chain_[l + 1][s]}, chains.size()).first->second;
    }
  }
}

void SlotSymmetry::find_twins() {
  const std::size_t slots = distance_.slots();
  const auto are_twins = [&](std::size_t a, std::size_t b) {
    for (std::size_t x = 0; x < slots; ++x) {
      if (x != a && x != b && distance_(a, x) != distance_(b, x)) return false;
    }
    return true;
  };
  twin_.resize(slots);
  for (std::size_t a = 0; a < slots; ++a) {
    twin_[a] = a;
    for (std::size_t b = 0; b < a && twin_[a] == a; ++b) {
      if (twin_[b] == b && are_twins(a, b)) twin_[a] = b;
    }
  }
}

/// Slots are alike that part from those in use at one object, below which their chains are equal.
void SlotSymmetry::label_by_shapes(std::span<const std::size_t> in_use,
                                   std::vector<std::size_t>& first) const {
  const std::size_t slots = distance_.slots();
  const std::size_t depth = object_.size() - 1;
  std::vector<std::size_t> parts(slots);  // the depth of the topmost object that holds none in use
  for (std::size_t s = 0; s < slots; ++s) {
    for (const std::size_t used : in_use) {
      while (parts[s] <= depth && object_[parts[s]][s] == object_[parts[s]][used]) ++parts[s];
    }
    first[s] = s;
    if (parts[s] > depth) continue;  // in use itself
    const std::size_t l = parts[s];
    for (std::size_t other = 0; other < s; ++other) {
      if (first[other] != other || parts[other] != l || chain_[l][other] != chain_[l][s]) continue;
      if (l > 0 && object_[l - 1][other] != object_[l - 1][s]) continue;
      first[s] = other;
      break;
    }
  }
}

std::vector<std::size_t> SlotSymmetry::orbits(std::span<const std::size_t> in_use) const {
  const std::size_t slots = distance_.slots();
  std::vector<std::size_t> first(slots);
  SymmetrySearch search(distance_);
  for (std::size_t s = 0; s < slots; ++s) {
    first[s] = s;
    if (std::ranges::find(in_use, s) != in_use.end()) continue;
    for (std::size_t other = 0; other < s && first[s] == s; ++other) {
      if (first[other] != other || std::ranges::find(in_use, other) != in_use.end()) continue;
      if (search.exists(in_use, other, s)) first[s] = other;
    }
  }
  return first;
}

const std::vector<std::size_t>& SlotSymmetry::first_alike(std::span<const std::size_t> in_use) {
  const std::size_t slots = distance_.slots();
  if (twin_.empty()) {
    first_.resize(slots);
    label_by_shapes(in_use, first_);
    return first_;
  }
  if (in_use.size() <= most_fixed) {
    std::vector<std::size_t> key(in_use.begin(), in_use.end());
    std::ranges::sort(key);
    const auto [at, is_new] = orbits_.try_emplace(key);
    if (is_new) at->second = orbits(key);
    return at->second;
  }
  // The first of each kind of twins may be in use: then the next one that is not.
  first_.assign(slots, slots);
  std::vector<std::size_t> free_twin(slots, slots);
  for (std::size_t s = 0; s < slots; ++s) {
    first_[s] = s;
    if (std::ranges::find(in_use, s) != in_use.end()) continue;
    std::size_t& free = free_twin[twin_[s]];
    if (free == slots) free = s;
    first_[s] = free;
  }
  return first_;
}

}  // namespace kith::exact
