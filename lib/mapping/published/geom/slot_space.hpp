// Where slots lie: what a geometric mapper sees of a machine.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kith/detail/network_machine.hpp"

namespace kith {

// Points in a space of few dimensions, as geometric mappers cut them.

/// axes[d][i] is coordinate d of point i; all axes are equally long.
struct PointSet {
  std::vector<std::vector<double>> axes;

  unsigned dimensions() const { return static_cast<unsigned>(axes.size()); }
};

/// The smallest box around points, by dimension. Nothing inside: lowest > highest.
struct Box {
  std::vector<double> lowest;
  std::vector<double> highest;

  double length(unsigned d) const { return highest[d] - lowest[d]; }
};

/// Which of several nodes with equal coordinates come first, by their numbers.
enum class NodeOrder { first, last };

/// Some slots with their points, in the order in which equal coordinates are taken.
struct Places {
  std::vector<Slot> slots;
  PointSet points;
};

/// A point for each allowed slot. Grids: the node's coordinates; the slots of a node lie on one
/// point, in order. Trees and dragonflies: a line, the leaves from left to right; nodes by group
/// and router. Holds a reference to the machine.
class SlotSpace {
 public:
  /// Throws Error (input) in the name of `algorithm` for machines without coordinates.
  SlotSpace(const Machine& machine, std::string_view algorithm);

  unsigned dimensions() const { return grid_ == nullptr ? 1 : extents_; }
  /// Around all allowed slots.
  const Box& box() const { return box_; }

  /// On rings, lets coordinates begin behind the largest gap between the nodes in use, so that the
  /// allowed slots lie together (the shift of Deveci et al.).
  void shift_to_largest_gaps();

  /// Places for `ranks` ranks, as many: each allowed slot equally often, the first ones once more;
  /// where slots are to spare, those in a corner of the box, in a box of the proportions `shape`
  /// (one length per dimension, positive).
  Places places(std::uint32_t ranks, std::span<const double> shape, NodeOrder order) const;

 private:
  template <class Visit>
  void for_each_node(Visit visit) const;
  void set_box();
  std::vector<Slot> corner(std::uint32_t ranks, std::span<const double> shape) const;
  std::vector<Slot> first_slots(std::uint64_t count) const;
  void node_point(std::uint32_t node, std::span<std::uint32_t> point) const;
  void reverse_nodes(std::vector<Slot>& slots) const;
  PointSet points_of(std::span<const Slot> slots) const;

  const Machine& machine_;
  const GridNetwork* grid_ = nullptr;  // null: a line
  unsigned extents_ = 0;
  std::uint32_t slots_per_node_ = 1;
  std::vector<std::uint32_t> origin_;  // the node coordinate that counts as 0, by dimension
  Box box_;
};

}  // namespace kith
