#include "mapping/published/topolb/grid_slots.hpp"

#include <limits>

namespace kith::topolb {
namespace {

/// The first of the dimensions that are within a row. A search looks at all rows and at a few in
/// full: the latter count more.
std::size_t choose_cut(std::span<const std::uint32_t> extents) {
  constexpr std::uint64_t rows_in_full = 8;
  std::uint64_t nodes = 1;
  for (const std::uint32_t extent : extents) nodes *= extent;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::size_t best = 0;
  std::uint64_t rows = 1;
  for (std::size_t cut = 0; cut <= extents.size(); ++cut) {
    const std::uint64_t effort = rows + nodes / rows * rows_in_full;
    if (effort < least) {
      least = effort;
      best = cut;
    }
    if (cut < extents.size()) rows *= extents[cut];
  }
  return best;
}

/// Adds to each node of a grid of some dimensions what its coordinates say: `by_coordinate` holds
/// an array for each dimension.
void add_by_coordinate(std::span<const std::vector<std::uint64_t>> by_coordinate,
                       std::span<std::uint64_t> nodes) {
  std::size_t repeat = 1;  // nodes that stand side by side with the same coordinate
  for (std::size_t d = by_coordinate.size(); d-- > 0;) {
    const auto& values = by_coordinate[d];
    for (std::size_t node = 0; node < nodes.size();) {
      for (const std::uint64_t value : values) {
        for (std::size_t i = 0; i < repeat; ++i) nodes[node++] += value;
      }
    }
    repeat *= values.size();
  }
}

}  // namespace

bool GridSlots::can_take(const Machine& machine) {
  const NetworkMachine* network = machine.as_network();
  return network != nullptr && network->network().as_grid() != nullptr &&
         network->slots_per_node() == 1 && network->node_tree() == nullptr;
}

GridSlots::GridSlots(const Machine& machine, SlotOrder order)
    : machine_(machine),
      grid_(*machine.as_network()->network().as_grid()),
      order_(order),
      is_free_(grid_.nodes()),
      free_(static_cast<std::uint32_t>(machine.allowed().size())) {
  for (const Slot slot : machine.allowed().to_vector()) nodes_.push_back(mirrored(slot.value));
  std::ranges::sort(nodes_);
  const auto extents = grid_.extents();
  cut_ = choose_cut(extents);
  for (std::size_t d = 0; d < extents.size(); ++d) (d < cut_ ? rows_ : width_) *= extents[d];

  free_of_.resize(entries());
  for (const std::uint32_t node : nodes_) {
    is_free_[node] = 1;
    ++free_of_[node / width_];
    ++free_of_[rows_ + node % width_];
  }
}

std::vector<std::uint64_t> GridSlots::field_of(
    const std::vector<std::vector<std::uint64_t>>& by_coordinate) const {
  std::vector<std::uint64_t> field(entries());
  const std::span all(by_coordinate);
  add_by_coordinate(all.first(cut_), std::span(field).first(rows_));
  add_by_coordinate(all.subspan(cut_), std::span(field).subspan(rows_));
  return field;
}

DistanceSums GridSlots::distance_sums() const {
  const auto extents = grid_.extents();
  std::vector<std::vector<std::uint64_t>> slots;
  for (const std::uint32_t extent : extents) slots.emplace_back(extent);
  for (std::uint32_t rest : nodes_) {
    for (std::size_t d = extents.size(); d-- > 0;) {
      ++slots[d][rest % extents[d]];
      rest /= extents[d];
    }
  }
  DistanceSums sums;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    slots[d] = sums_along(slots[d], grid_.periodic());
    sums.longest += grid_.periodic() ? extents[d] / 2 : extents[d] - 1;
  }
  sums.of = field_of(slots);
  return sums;
}

void GridSlots::distances_from(std::uint32_t slot, std::vector<std::uint64_t>& field) const {
  const auto extents = grid_.extents();
  std::vector<std::vector<std::uint64_t>> along;
  for (const std::uint32_t extent : extents) along.emplace_back(extent);
  std::uint32_t rest = nodes_[slot];
  for (std::size_t d = extents.size(); d-- > 0;) {
    const std::uint32_t from = rest % extents[d];
    rest /= extents[d];
    for (std::uint32_t to = 0; to < extents[d]; ++to) {
      const std::uint32_t apart = from < to ? to - from : from - to;
      along[d][to] = grid_.periodic() ? std::min(apart, extents[d] - apart) : apart;
    }
  }
  field = field_of(along);
}

void GridSlots::take(std::uint32_t slot) {
  const std::uint32_t node = nodes_[slot];
  is_free_[node] = 0;
  --free_;
  --free_of_[node / width_];
  --free_of_[rows_ + node % width_];
}

std::uint32_t GridSlots::index_of(std::uint32_t node) const {
  const auto index = static_cast<std::uint32_t>(machine_.allowed().index_of(Slot(mirrored(node))));
  const auto count = static_cast<std::uint32_t>(nodes_.size());
  return order_ == SlotOrder::ascending ? index : count - 1 - index;
}

}  // namespace kith::topolb
