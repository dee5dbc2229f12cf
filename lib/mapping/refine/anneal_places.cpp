#include "mapping/refine/anneal_places.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

namespace kith {
namespace {

constexpr std::uint32_t largest_joined_part = 64;
constexpr std::uint32_t largest_part = 256;

/// Extents of dimensions that share a table, the last dimension first.
std::vector<std::vector<std::uint32_t>> parts_of(const GridNetwork& grid) {
  std::vector<std::vector<std::uint32_t>> parts;
  std::uint32_t size = 0;
  for (std::size_t d = grid.extents().size(); d-- > 0;) {
    const std::uint32_t extent = grid.extents()[d];
    if (extent == 1) continue;
    if (!parts.empty() && extent <= largest_joined_part && size * extent <= largest_joined_part) {
      parts.back().push_back(extent);
      size *= extent;
    } else {
      parts.push_back({extent});
      size = extent;
    }
  }
  return parts;
}

std::uint32_t size_of(std::span<const std::uint32_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), 1U, std::multiplies<>());
}

std::uint16_t hops(std::span<const std::uint32_t> extents, bool periodic, std::uint32_t a,
                   std::uint32_t b) {
  std::uint32_t sum = 0;
  for (const std::uint32_t extent : extents) {
    const std::uint32_t at_a = a % extent;
    const std::uint32_t at_b = b % extent;
    const std::uint32_t apart = at_a > at_b ? at_a - at_b : at_b - at_a;
    sum += periodic ? std::min(apart, extent - apart) : apart;
    a /= extent;
    b /= extent;
  }
  return static_cast<std::uint16_t>(sum);
}

}  // namespace

bool GridPlaces::suit(const NetworkMachine& machine) {
  const GridNetwork* grid = machine.network().as_grid();
  if (grid == nullptr) return false;
  const auto parts = parts_of(*grid);
  return parts.size() <= most_parts &&
         std::ranges::all_of(parts, [](const auto& part) { return size_of(part) <= largest_part; });
}

GridPlaces::GridPlaces(const NetworkMachine& machine)
    : tree_(machine.node_tree()), slots_per_node_(machine.slots_per_node()) {
  if (slots_per_node_ > 1) by_slots_per_node_ = FastDivisor(slots_per_node_);
  if (tree_ != nullptr) climbed_ = 2 * std::uint64_t{tree_->depth()};
  const GridNetwork& grid = *machine.network().as_grid();
  const auto parts = parts_of(grid);
  for (std::size_t p = 0; p < most_parts; ++p) {
    const std::vector<std::uint32_t> extents =
        p < parts.size() ? parts[p] : std::vector<std::uint32_t>{1};
    const std::uint32_t size = size_of(extents);
    sizes_[p] = size;
    if (size > 1) by_size_[p] = FastDivisor(size);
    tables_[p].reserve(std::size_t{size} * size);
    for (std::uint32_t a = 0; a < size; ++a) {
      for (std::uint32_t b = 0; b < size; ++b) {
        tables_[p].push_back(hops(extents, grid.periodic(), a, b));
      }
    }
  }
}

std::uint64_t GridOffsets::differences(const GridNetwork& grid) {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : grid.extents()) count *= 2 * extent - 1;
  return count;
}

bool GridOffsets::suit(const NetworkMachine& machine) {
  constexpr std::uint64_t most = 1U << 16U;  // 128 KiB
  constexpr std::uint64_t most_sides = 12;   // no product overflows
  constexpr std::uint32_t most_in_node = 128;
  const GridNetwork* grid = machine.network().as_grid();
  return grid != nullptr && machine.slots_per_node() <= most_in_node &&
         grid->extents().size() <= most_sides && std::ranges::max(grid->extents()) <= most &&
         differences(*grid) <= most;
}

GridOffsets::GridOffsets(const NetworkMachine& machine)
    : grid_(machine.network().as_grid()), slots_per_node_(machine.slots_per_node()) {
  const TreeMachine* const tree = machine.node_tree();
  const std::uint64_t climbed = tree != nullptr ? 2 * std::uint64_t{tree->depth()} : 0;
  for (std::uint32_t a = 0; a < slots_per_node_; ++a) {
    for (std::uint32_t b = 0; b < slots_per_node_; ++b) {
      const std::uint64_t inside = tree == nullptr || a == b ? 0 : tree->hops(Slot(a), Slot(b));
      inner_.push_back(static_cast<std::uint16_t>(inside));
    }
  }
  const std::uint64_t count = differences(*grid_);
  hops_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t left = i;
    std::uint64_t sum = 0;
    for (std::size_t d = grid_->extents().size(); d-- > 0;) {
      const std::uint64_t extent = grid_->extents()[d];
      const std::uint64_t at = left % (2 * extent - 1);
      const std::uint64_t apart = at < extent ? extent - 1 - at : at - (extent - 1);
      sum += grid_->periodic() ? std::min(apart, extent - apart) : apart;
      left /= 2 * extent - 1;
    }
    hops_.push_back(static_cast<std::uint16_t>(sum == 0 ? 0 : sum + climbed));
  }
  middle_ = hops_.data() + count / 2;
}

GridOffsets::Place GridOffsets::place(Slot slot) const {
  Place place;
  std::uint32_t left = slot.value / slots_per_node_;
  place.in_node = slot.value % slots_per_node_;
  std::int32_t stride = 1;
  for (std::size_t d = grid_->extents().size(); d-- > 0;) {
    const std::uint32_t extent = grid_->extents()[d];
    place.node += stride * static_cast<std::int32_t>(left % extent);
    left /= extent;
    stride *= static_cast<std::int32_t>(2 * extent - 1);
  }
  return place;
}

GridPlaces::Place GridPlaces::place(Slot slot) const {
  Place place;
  std::uint32_t left = slot.value;
  if (slots_per_node_ > 1) {
    left = by_slots_per_node_.quotient(slot.value);
    place.in_node = slot.value - left * slots_per_node_;
  }
  for (std::size_t p = 0; p < most_parts && sizes_[p] > 1; ++p) {
    const std::uint32_t above = by_size_[p].quotient(left);
    place.part[p] = static_cast<std::uint8_t>(left - above * sizes_[p]);
    left = above;
  }
  return place;
}

}  // namespace kith
