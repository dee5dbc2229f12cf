// GEOM and the parts that GSEARCH shares with it: slots as points, bisection of points, local
// search.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

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

struct GeomOptions {
  bool all_rotations = false;  ///< try each match of dimensions, not only that of equal order
  bool shifts = false;         ///< on rings, begin behind the largest gap
  NodeOrder node_order = NodeOrder::last;
};

inline constexpr MapperSetting rotations_setting{
    "rotations", "box",
    "box: the longest task dimension along the longest one of the allocation, and so on; all: the "
    "best of all matches"};
inline constexpr MapperSetting shifts_setting{
    "shifts", "off", "on: on rings, coordinates begin behind the largest gap in the allocation"};
inline constexpr MapperSetting node_order_setting{
    "node-order", "last",
    "first or last: which nodes of equal coordinate come first in a cut, by number"};

/// The three settings as given to `mapper`, which must list them.
GeomOptions geom_options(const Mapper& mapper, const MapOptions& options);

/// Throws Error (input) in the name of `mapper` where ranks or slots have no coordinates.
Mapping map_by_geometry(const Mapper& mapper, const MapTask& problem, const GeomOptions& options);

// Corresponding recursive bisections of tasks and places.

/// Of each task dimension the place dimension that is cut along with it, or none.
using AxisMatch = std::vector<std::optional<unsigned>>;

Box box_around(const PointSet& points);

/// The place of each task: 0 .. tasks - 1, each once. As many places as tasks. Tasks are cut along
/// the longest dimension of the box around them (the first of equal ones), between two different
/// coordinates, as evenly as that allows, the larger part first; where all lie on one point, by
/// index. As many places go with the first part as it has tasks: those lowest in the matching
/// dimension, of equal ones the first; without a match in the longest dimension of their own box.
/// O(n log n) expected for grids; memory O(n).
std::vector<std::uint32_t> bisect_together(const PointSet& tasks, const PointSet& places,
                                           const AxisMatch& match);

// The local search of GSEARCH: swaps of two ranks that lower the objective.

/// Which of the swaps that help is made.
enum class SwapChoice {
  first,           ///< the first one found
  best_of_higher,  ///< rank by rank, the best of those with a higher rank
  best_of_rank,    ///< rank by rank, the best of all that involve it
  best_of_all,     ///< the best of all pairs
};

/// 0.35 n + 20, rounded down: the limit that section IV-B finds to be enough.
std::uint64_t gsearch_swap_limit(std::uint32_t ranks);

struct SearchAccount {
  std::uint64_t swaps = 0;
  std::uint64_t tests = 0;  ///< of a swap's gain; the work done
  /// True where no swap of two ranks lowers the objective any further.
  bool local_optimum = false;
};

/// Swaps ranks of `mapping` until none helps, `most_swaps` are made or the budget is used up. Ranks
/// that MapOptions::fixed names stay. Ties go to the lowest rank, then to the lowest partner. Tests
/// whose outcome is known, because neither rank nor a neighbour of theirs has moved since, are left
/// out, which changes no choice. Memory O(ranks).
SearchAccount search_swaps(const MapTask& problem, Mapping& mapping, SwapChoice choice,
                           std::uint64_t most_swaps = std::numeric_limits<std::uint64_t>::max());

}  // namespace kith
