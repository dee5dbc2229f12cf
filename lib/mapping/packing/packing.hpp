// Jobs that fall apart: groups of ranks with hardly anything between them are packed whole into the
// objects of the machine, before anything is divided.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kith/mapper.hpp"
#include "kith/traffic.hpp"
#include "mapping/budget.hpp"
#include "mapping/multilevel/multilevel.hpp"
#include "mapping/slot_tree.hpp"

namespace kith::packing {

/// Ranks in groups 0 .. count - 1, each of at least one.
struct Grouping {
  std::vector<std::uint32_t> group_of;  ///< by rank
  std::uint32_t count = 0;
};

/// The components of the traffic, then those that are left without its lightest pairs, which
/// together make a small share of it: coarser groupings first, no two alike. Only those that leave
/// something to pack: several groups of two or more ranks, none with nearly all ranks. O(edges).
std::vector<Grouping> find_groupings(const TrafficGraph& graph);

/// The objects of a machine down to the lowest that hold several slots (single slots where those
/// take several ranks), with how many more ranks fit below each.
class RoomTree {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Object {
    SlotTree::Object slots;  ///< positions of the slot tree
    std::uint32_t depth = 0;
    std::uint32_t parent = none;
    std::uint32_t first_child = 0;
    std::uint32_t children = 0;  ///< 0: a block
    std::uint64_t capacity = 0;  ///< ranks
    std::uint64_t room = 0;      ///< of blocks only: ranks that still fit
  };

  RoomTree(const SlotTree& slots, std::uint32_t capacity_of_slot);

  /// The root first; children of one object follow each other.
  std::span<const Object> objects() const { return objects_; }
  const Object& operator[](std::uint32_t object) const { return objects_[object]; }
  std::uint32_t depth() const { return depth_; }
  std::span<const std::uint32_t> blocks() const { return blocks_; }  ///< from left to right
  /// Those of a depth, and the blocks above it.
  std::vector<std::uint32_t> objects_at(std::uint32_t depth) const;
  /// For all objects: what is free in the blocks below each.
  std::vector<std::uint64_t> rooms() const;
  void take(std::uint32_t block, std::uint64_t ranks) { objects_[block].room -= ranks; }
  void give(std::uint32_t block, std::uint64_t ranks) { objects_[block].room += ranks; }

 private:
  std::vector<Object> objects_;
  std::vector<std::uint32_t> blocks_;
  std::uint32_t depth_ = 0;
};

/// So many ranks of a group in a block.
struct Share {
  std::uint32_t block;
  std::uint64_t ranks;
};

/// How what does not fit into one object is shared among its children.
enum class Sharing {
  full,  ///< as few as possible are filled, the rest goes where it fits best
  even,  ///< as few as possible get as much as each other
};

/// Where each group goes: each into an object as low as can hold it where that has room. Objects
/// are filled one at a time, by the largest group that is left and those others that together come
/// closest to filling it (the minimum bin slack of Gupta and Ho: "A new heuristic algorithm for the
/// one-dimensional bin-packing problem", Production Planning and Control 10, 1999, with subset sums
/// instead of a search). What fits nowhere takes what is left, over several objects. Tries other
/// subsets until all groups are whole, or `tries` are used up; takes the shares from `tree`.
std::vector<std::vector<Share>> pack_groups(RoomTree& tree, std::span<const std::uint64_t> sizes,
                                            std::span<const double> weights, Sharing sharing,
                                            unsigned tries, std::uint64_t seed);

/// The blocks of the ranks of a mapping that is being made; 2^32 - 1: none yet.
using BlockOf = std::vector<std::uint32_t>;

/// What exchange_units() may move.
struct Units {
  std::vector<std::uint32_t> unit_of;  ///< by rank
  std::vector<std::uint64_t> sizes;    ///< by unit
  /// Units change places only with others of their size: whole contents of blocks.
  bool only_alike = false;
};

/// Simulated annealing of what the ties between units cost: a unit moves to the block of one that
/// it talks to, or another one, and one or several others make room for it. Never worse than
/// before. `tests` of O(ties of a unit) each, which the budget pays for; nothing changes where it
/// does not last. `tree` has the rooms that `block_of` leaves.
void exchange_units(const MapTask& problem, const SlotTree& slots, const RoomTree& tree,
                    const Units& units, BlockOf& block_of, std::uint64_t tests, std::uint64_t seed);

/// How much pack() tries.
struct Effort {
  Sharing sharing = Sharing::full;
  unsigned tries = 8;
  std::uint64_t tests_per_group = 100;  ///< of exchange_units()
  multilevel::Trials trials;            ///< of divisions of groups that are larger than a block
};

/// Whether the machine has blocks to pack groups into: not where each node is one slot.
bool has_blocks(const MapTask& problem);

/// Groups packed, those in several blocks divided, then exchanged. Nothing on machines without
/// blocks, or where the budget did not last.
std::optional<Mapping> pack(const MapTask& problem, const Grouping& grouping, const Effort& effort,
                            std::uint64_t seed);

/// A first order in some milliseconds: the blocks are filled one after the other, breadth first,
/// each from a rank that was found from those beside it. O(edges) on any machine.
Mapping grown_order(const MapTask& problem);

}  // namespace kith::packing
