#include "mapping/published/geom/geom.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "kith/error.hpp"

namespace kith {

SlotSpace::SlotSpace(const Machine& machine, std::string_view algorithm) : machine_(machine) {
  const NetworkMachine* network = machine.as_network();
  if (network != nullptr) {
    grid_ = network->network().as_grid();
    slots_per_node_ = network->slots_per_node();
  }
  const bool in_groups =
      network != nullptr && dynamic_cast<const DragonflyNetwork*>(&network->network()) != nullptr;
  if (grid_ == nullptr && machine.as_tree() == nullptr && !in_groups) {
    throw bad_argument(
        "algorithm",
        "for " + std::string(algorithm) +
            " a machine with coordinates: a torus, mesh, hypercube, tree or dragonfly",
        machine.spec());
  }
  if (grid_ != nullptr) {
    extents_ = static_cast<unsigned>(grid_->extents().size());
    origin_.assign(extents_, 0);
  }
  set_box();
}

/// Coordinates as they are, or shifted on rings.
void SlotSpace::node_point(std::uint32_t node, std::span<std::uint32_t> point) const {
  for (unsigned d = extents_; d-- > 0;) {
    const std::uint32_t extent = grid_->extents()[d];
    const std::uint32_t at = node % extent;
    node /= extent;
    point[d] = at >= origin_[d] ? at - origin_[d] : at + (extent - origin_[d]);
  }
}

/// visit(first slot, last slot, point) for the allowed slots of each node, ascending.
template <class Visit>
void SlotSpace::for_each_node(Visit visit) const {
  std::vector<std::uint32_t> point(extents_);
  for (const auto& [first, last] : machine_.allowed().intervals()) {
    for (std::uint64_t slot = first.value; slot <= last.value;) {
      const auto node = static_cast<std::uint32_t>(slot / slots_per_node_);
      const std::uint64_t end =
          std::min<std::uint64_t>((node + 1ULL) * slots_per_node_, last.value + 1ULL);
      node_point(node, point);
      visit(slot, end, point);
      slot = end;
    }
  }
}

void SlotSpace::set_box() {
  if (grid_ == nullptr) {
    box_ = {{0.0}, {static_cast<double>(machine_.allowed().size()) - 1}};
    return;
  }
  std::vector<std::uint32_t> lowest(extents_, std::numeric_limits<std::uint32_t>::max());
  std::vector<std::uint32_t> highest(extents_, 0);
  for_each_node([&](std::uint64_t, std::uint64_t, const std::vector<std::uint32_t>& point) {
    for (unsigned d = 0; d < extents_; ++d) {
      lowest[d] = std::min(lowest[d], point[d]);
      highest[d] = std::max(highest[d], point[d]);
    }
  });
  box_ = {{lowest.begin(), lowest.end()}, {highest.begin(), highest.end()}};
}

void SlotSpace::shift_to_largest_gaps() {
  if (grid_ == nullptr || !grid_->periodic()) return;
  std::vector<std::vector<bool>> in_use;
  for (const std::uint32_t extent : grid_->extents()) in_use.emplace_back(extent);
  for_each_node([&](std::uint64_t, std::uint64_t, const std::vector<std::uint32_t>& point) {
    for (unsigned d = 0; d < extents_; ++d) in_use[d][point[d]] = true;
  });
  for (unsigned d = 0; d < extents_; ++d) {
    const auto extent = static_cast<std::uint32_t>(in_use[d].size());
    std::uint32_t largest = 0;
    std::uint32_t gap = 0;
    // Twice around: a gap may lie across the border. The first of equal gaps counts.
    for (std::uint32_t i = 0; i < 2 * extent; ++i) {
      if (!in_use[d][i % extent]) {
        ++gap;
        continue;
      }
      if (gap > largest) {
        largest = gap;
        origin_[d] = i % extent;
      }
      gap = 0;
    }
  }
  set_box();
}

std::vector<Slot> SlotSpace::first_slots(std::uint64_t count) const {
  std::vector<Slot> slots;
  slots.reserve(count);
  if (const TreeMachine* tree = machine_.as_tree()) {
    for (const std::uint32_t leaf : tree->allowed_leaves(count)) {
      slots.push_back(tree->slot_of_leaf(leaf));
    }
    return slots;
  }
  for (const auto& [first, last] : machine_.allowed().intervals()) {
    for (std::uint64_t slot = first.value; slot <= last.value && slots.size() < count; ++slot) {
      slots.emplace_back(static_cast<std::uint32_t>(slot));
    }
  }
  return slots;
}

/// The slots that a box of these proportions reaches first as it grows from the lowest corner.
std::vector<Slot> SlotSpace::corner(std::uint32_t ranks, std::span<const double> shape) const {
  struct Candidate {
    double size;  // of the box, as a multiple of the shape
    std::uint32_t slot;
    bool operator<(const Candidate& other) const {
      return size != other.size ? size < other.size : slot < other.slot;
    }
  };
  constexpr std::size_t spare = 1024;
  std::vector<Candidate> nearest;
  const auto keep_best = [&] {
    if (nearest.size() <= ranks) return;
    std::nth_element(nearest.begin(), nearest.begin() + ranks, nearest.end());
    nearest.resize(ranks);
  };
  for_each_node([&](std::uint64_t first, std::uint64_t end, const std::vector<std::uint32_t>& at) {
    double size = 0;
    for (unsigned d = 0; d < extents_; ++d) {
      size = std::max(size, (at[d] - box_.lowest[d] + 1) / shape[d]);
    }
    for (std::uint64_t slot = first; slot < end; ++slot) {
      nearest.push_back({size, static_cast<std::uint32_t>(slot)});
    }
    if (nearest.size() > 2 * std::size_t{ranks} + spare) keep_best();
  });
  keep_best();
  std::vector<Slot> slots;
  slots.reserve(nearest.size());
  for (const Candidate& candidate : nearest) slots.emplace_back(candidate.slot);
  std::ranges::sort(slots);
  return slots;
}

PointSet SlotSpace::points_of(std::span<const Slot> slots) const {
  PointSet points;
  points.axes.resize(dimensions());
  for (auto& axis : points.axes) axis.reserve(slots.size());
  if (grid_ == nullptr) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      points.axes[0].push_back(static_cast<double>(i));
    }
    return points;
  }
  std::vector<std::uint32_t> point(extents_);
  for (const Slot slot : slots) {
    node_point(slot.value / slots_per_node_, point);
    for (unsigned d = 0; d < extents_; ++d) points.axes[d].push_back(point[d]);
  }
  return points;
}

/// Nodes in reverse order, each with its slots as they were.
void SlotSpace::reverse_nodes(std::vector<Slot>& slots) const {
  const auto node = [&](Slot slot) { return slot.value / slots_per_node_; };
  std::ranges::reverse(slots);
  for (auto first = slots.begin(); first != slots.end();) {
    const auto end =
        std::find_if(first, slots.end(), [&](Slot slot) { return node(slot) != node(*first); });
    std::reverse(first, end);
    first = end;
  }
}

Places SlotSpace::places(std::uint32_t ranks, std::span<const double> shape,
                         NodeOrder order) const {
  const std::uint64_t allowed = machine_.allowed().size();
  Places places;
  if (ranks < allowed && grid_ != nullptr) {
    places.slots = corner(ranks, shape);
  } else {
    places.slots = first_slots(std::min<std::uint64_t>(ranks, allowed));
  }
  if (ranks > allowed) {
    std::vector<Slot> repeated;
    repeated.reserve(ranks);
    for (std::uint64_t i = 0; i < allowed; ++i) {
      repeated.insert(repeated.end(), ranks / allowed + (i < ranks % allowed ? 1 : 0),
                      places.slots[i]);
    }
    places.slots = std::move(repeated);
  }
  // On a line no two slots are at one place.
  if (order == NodeOrder::last && grid_ != nullptr) reverse_nodes(places.slots);
  places.points = points_of(places.slots);
  return places;
}

}  // namespace kith
