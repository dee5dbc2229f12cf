// A machine as nested objects whose contents may change places without changing any distance.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"

namespace kith::remap {

/// Objects of depth 0 (the root) to depth() (the slots), numbered from left to right. A tree is its
/// own hierarchy. Of a network the objects of depth 1 are its nodes (of a dragonfly: the nodes of a
/// router), which cannot change places, and below them is the tree in each node. Holds a reference
/// to the machine.
class Hierarchy {
 public:
  /// Nothing for a machine that is neither.
  static std::optional<Hierarchy> of(const Machine& machine);

  unsigned depth() const { return depth_; }
  /// Objects down to this depth stay where they are; 0: the root only.
  unsigned fixed_depth() const { return tree_ == nullptr ? 1 : 0; }

  std::uint32_t leaf_of(Slot slot) const;
  Slot slot_of(std::uint32_t leaf) const;
  /// Of depth level - 1; `level` is 1 .. depth().
  std::uint32_t parent(unsigned level, std::uint32_t object) const;
  /// As TreeMachine::first_child(): 64 bits, as one past the last object may be asked for.
  std::uint64_t first_child(unsigned level, std::uint64_t object) const;

  /// Two objects of one depth have equal shapes when their allowed slots are arranged alike: then
  /// the contents of one fit into the other. no_shape without allowed slots. Shapes once asked for
  /// are kept.
  std::uint32_t shape(unsigned level, std::uint32_t object);
  static constexpr std::uint32_t no_shape = UINT32_MAX;

 private:
  explicit Hierarchy(const TreeMachine& tree);
  explicit Hierarchy(const NetworkMachine& network);

  /// Consecutive leaves.
  struct Leaves {
    std::uint64_t first;
    std::uint64_t last;  ///< exclusive
  };
  Leaves leaves_below(unsigned level, std::uint64_t object) const;
  std::uint64_t allowed_among(Leaves leaves) const;
  std::uint32_t shape_of_children(unsigned level, std::uint32_t object);

  const Machine* machine_;
  const TreeMachine* tree_ = nullptr;    // null: a network
  std::vector<std::uint64_t> children_;  // by depth, of each object; networks
  unsigned depth_ = 0;
  bool uniform_ = true;                        // all objects of a depth have equally many children
  std::vector<std::uint32_t> allowed_leaves_;  // where slots are not in the order of the leaves

  /// How many children of which shape.
  using Children = std::map<std::uint32_t, std::uint64_t>;
  std::vector<std::map<Children, std::uint32_t>> shapes_;                // by depth
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> known_;  // by depth and object
};

}  // namespace kith::remap
