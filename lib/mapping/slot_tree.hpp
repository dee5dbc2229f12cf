// Any machine as a tree of allowed slots: what mappers that work level by level see of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kith/machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Allowed slots stand at positions 0, 1, ... from left to right, those of one object next to each
/// other. A tree has its own levels; a network is a root, its nodes, and the tree in each node; of
/// any other machine only the nodes are known. Holds a reference to the machine. Memory O(1) where
/// slots are numbered from left to right, else 4 bytes a slot.
class SlotTree {
 public:
  explicit SlotTree(const Machine& machine);

  /// An object with allowed slots below it, at positions first .. last - 1.
  struct Object {
    unsigned level = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t slots() const { return last - first; }
  };

  Object root() const { return {0, 0, machine_.allowed().size()}; }
  /// Replaces `out` by the next objects below that share `object`, from left to right: two or more,
  /// or none where it has one slot. Levels with a single object are passed over.
  void children(const Object& object, std::vector<Object>& out) const;
  /// The machine's nodes that have allowed slots, from left to right.
  std::vector<Object> nodes() const;
  Slot slot(std::uint64_t position) const {
    return listed_.empty() ? machine_.allowed().at(position) : listed_[position];
  }

 private:
  void list_by_leaf();
  void list_by_node();
  /// All objects of the next level.
  void split(const Object& object, std::vector<Object>& out) const;
  /// Where the object of depth `level` ends that has the slot at `position`.
  std::uint64_t end_of(unsigned level, std::uint64_t position) const;

  const Machine& machine_;
  unsigned depth_ = 0;
  unsigned node_level_ = 0;
  std::vector<Slot> listed_;         // empty: positions are those of the allowed slots, ascending
  std::vector<std::uint32_t> keys_;  // of the listed ones, ascending: leaves of a tree, else nodes
};

/// `total` in parts that are as near as whole numbers can be to the proportions of `weights`: each
/// gets its quota rounded down, and one more those with the largest remainders, the first of
/// equals. So where total is at most k x the sum of the weights, no part is above k x its weight.
/// `total` and the sum of the weights, which is not 0, are below 2^32.
std::vector<std::uint32_t> proportional_shares(std::uint64_t total,
                                               std::span<const std::uint64_t> weights);

/// The same ranks on a tree of a dragonfly's groups, routers and nodes, and of what is in the
/// nodes: the same slots, as many of them allowed. Two nodes of different groups cost what such
/// nodes are apart on average. The sum of costs is the objective, whatever it was; no rank is fixed
/// or anywhere yet.
class DragonflyTree {
 public:
  /// Nothing where the machine of `problem`, which must outlive this, is no dragonfly.
  static std::optional<DragonflyTree> of(const MapTask& problem);

  /// Refers to this object: valid until it is moved or destroyed.
  MapTask problem() const {
    return MapTask{original_.graph, *machine_, options_, original_.budget};
  }

 private:
  DragonflyTree(const MapTask& original, std::unique_ptr<Machine> machine);

  MapTask original_;
  std::unique_ptr<Machine> machine_;
  MapOptions options_;
};

}  // namespace kith
