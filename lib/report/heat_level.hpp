// Traffic as the cells of a heatmap, blocks of ranks against blocks of ranks, with the ranks and
// the levels of the machine along its axes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "kith/objective.hpp"
#include "kith/traffic.hpp"

namespace kith {

// The levels of a machine from the whole down to a slot, for machines of every kind.

/// Where two slots meet, as a reader is told.
struct LevelFact {
  std::string name;              ///< "network", "host", ... or "level0"
  std::uint64_t objects = 0;     ///< how many of them the machine has
  std::optional<Quantity> cost;  ///< of a byte between two slots that meet here; nothing: it varies
};

/// A tree has the levels of its own; a network one for all ways between its nodes, and below it
/// those of the tree in each node. The machine must outlive this.
class MachineLevels {
 public:
  explicit MachineLevels(const Machine& machine);

  std::span<const LevelFact> levels() const { return levels_; }  ///< top down, at least one
  std::size_t count() const { return levels_.size(); }
  /// The level at which two slots meet, below count(); count() for one slot. O(1).
  std::size_t of(Slot a, Slot b) const;

 private:
  void add_tree(const TreeMachine& tree, std::uint64_t trees, std::uint64_t cost_scale);

  const Machine& machine_;
  const TreeMachine* tree_ = nullptr;  // the machine itself, or what is in each node
  std::uint32_t slots_per_node_ = 0;   // of a network; 0: a tree
  std::vector<LevelFact> levels_;
};

// In which order a heatmap has the ranks along its axes.

/// A permutation of the ranks, both ways round; each array has one item per rank.
struct RankAxis {
  std::vector<std::uint32_t> position_of;  ///< of rank r
  std::vector<Rank> rank_at;               ///< at position p

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(rank_at.size()); }
  bool is_identity() const;
};

/// Ranks by number: for traffic without a machine.
RankAxis axis_by_rank(std::uint32_t ranks);

/// Ranks by where they sit, those of one slot by number: neighbours in the machine are neighbours
/// on the axis, so that traffic inside a host is a block on the diagonal.
RankAxis axis_by_place(const Mapping& mapping, const Machine& machine);

/// Where a slot stands when the slots of each node, socket, ... follow one another: in a tree its
/// leaf from left to right, else its own number.
std::uint32_t place_of(const Machine& machine, Slot slot);

/// What the ranks of one block send to those of another, or of their own.
struct HeatCell {
  std::uint32_t row = 0;     ///< block of the senders
  std::uint32_t column = 0;  ///< block of the receivers
  Weight bytes = 0;
  Weight messages = 0;  ///< 0 where they are not known
  /// Over which level of the machine most of the bytes go, the upper of equals; same_slot where
  /// they stay on a slot, or there is no machine.
  int level = same_slot;
  static constexpr int same_slot = -1;

  bool operator==(const HeatCell&) const = default;
};

/// The whole matrix at one resolution: cell (i, j) sums positions i x block .. (i + 1) x block - 1
/// against those of j. Cells by row and column, none without bytes and messages.
struct HeatLevel {
  std::uint32_t block = 1;  ///< ranks along a cell
  std::uint32_t side = 0;   ///< cells along the matrix: ranks / block, rounded up
  std::vector<HeatCell> cells;
};

/// A matrix and the order in which it is seen. All of the same ranks; what is referred to must
/// outlive this.
struct HeatSource {
  const TrafficMatrix& bytes;
  const TrafficMatrix* messages = nullptr;  ///< null: not known
  const RankAxis& axis;
  const MachineLevels* levels = nullptr;  ///< null: no machine
  const Mapping* mapping = nullptr;       ///< with `levels`
};

/// How long a cell is where it is written as five numbers, each with a comma.
std::uint64_t text_bytes(const HeatCell& cell);

/// Sums all cells of blocks of `block` >= 1 ranks. Nothing where they would take more than
/// `most_text_bytes` (looked at while summing: what is too large costs little), or more than 2^20
/// cells lie along a side. O(entries + cells log cells); the totals of both matrices must fit 64
/// bits.
std::optional<HeatLevel> heat_level(const HeatSource& source, std::uint32_t block,
                                    std::uint64_t most_text_bytes);

}  // namespace kith
