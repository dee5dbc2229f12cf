// Distances as inlined function objects: the machine's type is looked at once, not at each pair.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/objective.hpp"

namespace kith {

/// Lemire, Kaser, Kurz: Faster remainder by direct computation, Software: Practice and Experience
/// 49(6), 2019: the high half of n x ceil(2^64 / d) is n / d for all n, d below 2^32.
class FastDivisor {
 public:
  FastDivisor() = default;
  /// `divisor` at least 2.
  explicit FastDivisor(std::uint32_t divisor)
      : inverse_(std::numeric_limits<std::uint64_t>::max() / divisor + 1) {}

  std::uint32_t quotient(std::uint32_t number) const {
    __extension__ using Product = unsigned __int128;
    return static_cast<std::uint32_t>(Product{inverse_} * number >> 64);
  }

 private:
  std::uint64_t inverse_ = 0;
};

/// What NetworkMachine::hops() is on a torus, mesh or hypercube; grids have no costs of their own.
class GridDistance {
 public:
  /// The machine's network must be a grid, and the machine outlive this.
  explicit GridDistance(const NetworkMachine& machine)
      : tree_(machine.node_tree()), slots_per_node_(machine.slots_per_node()) {
    const GridNetwork& grid = *machine.network().as_grid();
    if (slots_per_node_ > 1) node_ = FastDivisor(slots_per_node_);
    if (tree_ != nullptr) climbed_ = 2 * std::uint64_t{tree_->depth()};
    const auto extents = grid.extents();
    // The coordinates of a hypercube are the bits of its nodes' numbers.
    is_cube_ = std::ranges::all_of(extents, [](std::uint32_t extent) { return extent <= 2; });
    if (is_cube_) return;
    for (std::size_t d = extents.size(); d-- > 0;) {
      const std::uint32_t extent = extents[d];
      if (extent == 1) continue;
      // In a mesh no way around is shorter than the straight one.
      const std::uint64_t ring = std::uint64_t{extent} * (grid.periodic() ? 1 : 2);
      dimensions_[count_++] = {FastDivisor(extent), extent, ring};
    }
  }

  std::uint64_t operator()(Slot a, Slot b) const {
    if (slots_per_node_ == 1) {
      return a == b ? 0 : climbed_ + between_nodes(a.value, b.value);
    }
    const std::uint32_t from = node_.quotient(a.value);
    const std::uint32_t to = node_.quotient(b.value);
    if (from != to) return climbed_ + between_nodes(from, to);
    const std::uint32_t first = from * slots_per_node_;
    return tree_->hops(Slot(a.value - first), Slot(b.value - first));
  }

 private:
  struct Dimension {
    FastDivisor by_extent;
    std::uint32_t extent = 0;
    std::uint64_t ring = 0;  ///< once around
  };

  std::uint64_t between_nodes(std::uint32_t a, std::uint32_t b) const {
    if (is_cube_) return static_cast<std::uint64_t>(std::popcount(a ^ b));
    // A loop of known length takes half the time.
    switch (count_) {
      case 1:
        return sum_over<1>(1, a, b);
      case 2:
        return sum_over<2>(2, a, b);
      case 3:
        return sum_over<3>(3, a, b);
      case 4:
        return sum_over<4>(4, a, b);
      case 5:
        return sum_over<5>(5, a, b);
      default:
        return sum_over<0>(count_, a, b);
    }
  }

  /// `known`: the count where the compiler may know it, else 0.
  template <std::uint32_t known>
  std::uint64_t sum_over(std::uint32_t count, std::uint32_t a, std::uint32_t b) const {
    if constexpr (known != 0) count = known;
    std::uint64_t sum = 0;
    for (std::uint32_t d = 0; d + 1 < count; ++d) {
      const Dimension& dimension = dimensions_[d];
      const std::uint32_t above_a = dimension.by_extent.quotient(a);
      const std::uint32_t above_b = dimension.by_extent.quotient(b);
      sum += along(dimension, a - above_a * dimension.extent, b - above_b * dimension.extent);
      a = above_a;
      b = above_b;
    }
    return sum + along(dimensions_[count - 1], a, b);
  }

  static std::uint64_t along(const Dimension& dimension, std::uint32_t a, std::uint32_t b) {
    const auto apart = static_cast<std::uint64_t>(
        std::abs(static_cast<std::int64_t>(a) - static_cast<std::int64_t>(b)));
    return std::min(apart, dimension.ring - apart);
  }

  const TreeMachine* tree_;
  std::uint32_t slots_per_node_;
  std::uint64_t climbed_ = 0;
  FastDivisor node_;
  bool is_cube_ = false;
  std::uint32_t count_ = 0;  // of dimensions, the last of the grid first
  std::array<Dimension, 32> dimensions_{};
};

/// What an objective charges per unit of weight between two slots of a tree.
class TreeDistance {
 public:
  TreeDistance(const TreeMachine& tree, Objective objective)
      : tree_(&tree),
        by_level_(objective == Objective::hop_bytes ? tree.level_hops().data()
                                                    : tree.level_cost().data()) {}
  std::uint64_t operator()(Slot a, Slot b) const { return by_level_[tree_->meeting(a, b)]; }
  const TreeMachine& tree() const { return *tree_; }
  std::uint64_t at_level(unsigned level) const { return by_level_[level]; }

 private:
  const TreeMachine* tree_;
  const std::uint64_t* by_level_;
};

/// The same on any machine.
class AnyDistance {
 public:
  AnyDistance(const Machine& machine, Objective objective)
      : machine_(&machine), objective_(objective) {}
  std::uint64_t operator()(Slot a, Slot b) const {
    return objective_ == Objective::hop_bytes ? machine_->hops(a, b) : machine_->cost(a, b);
  }

 private:
  const Machine* machine_;
  Objective objective_;
};

/// Calls `function` with the fastest distance that the machine has.
template <class Function>
decltype(auto) with_distance(const Machine& machine, Objective objective, Function&& function) {
  if (const TreeMachine* tree = machine.as_tree()) {
    return std::forward<Function>(function)(TreeDistance(*tree, objective));
  }
  const NetworkMachine* network = machine.as_network();
  if (network != nullptr && network->network().as_grid() != nullptr) {
    return std::forward<Function>(function)(GridDistance(*network));
  }
  return std::forward<Function>(function)(AnyDistance(machine, objective));
}

}  // namespace kith
