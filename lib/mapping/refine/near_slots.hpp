// Which slots of a machine lie near to each other, as a list and as random proposals.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/rng.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "objective/distance.hpp"

namespace kith {

/// Consecutive slots below one object of the machine's lowest level: to a rank that is elsewhere
/// they are equal. A slot alone where nothing of that kind is known.
struct SlotGroup {
  Slot first;
  std::uint32_t size = 1;
};

/// Holds a reference to the machine. Not thread safe: what was asked for once is kept, some 100
/// bytes for each node.
class NearSlots {
 public:
  /// `whole_groups` false: each slot is a group.
  NearSlots(const Machine& machine, bool whole_groups);

  SlotGroup group_of(Slot slot) const;
  /// Replaces `out` by groups that hold allowed slots around `slot`: its own, those of its node,
  /// the corresponding ones of the nodes next to it, and those before and behind it among the
  /// allowed slots, which are near where slots are few. O(1) except for Network::nearest().
  void around(Slot slot, std::vector<SlotGroup>& out);

 private:
  const std::vector<std::uint32_t>& nodes_near(std::uint32_t node);
  void add(Slot slot, std::vector<SlotGroup>& out) const;

  const Machine& machine_;
  const NetworkMachine* network_;
  std::uint32_t group_size_ = 1;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> near_;
};

/// Holds a reference to the machine. Memory: some 50 bytes for each node that can be named.
class SlotProposals {
 public:
  explicit SlotProposals(const Machine& machine);

  /// An allowed slot near an allowed one, perhaps that itself: of a tree one below an ancestor of
  /// random height; of a grid one of the node or, mostly, of a node beside it; of other networks
  /// one of the nodes that Network::nearest() names; where that is not allowed or nothing is known,
  /// one that is numbered close by.
  Slot near(Slot slot, QuickRng& rng) { return allowed_near(slot, anywhere_near(slot, 0, rng), rng); }
  /// The same for a rank that is to leave `slot`: of a tree none with the same parent, where the
  /// rank would cost as much.
  Slot beside(Slot slot, QuickRng& rng) {
    return allowed_near(slot, anywhere_near(slot, 1, rng), rng);
  }

 private:
  Slot anywhere_near(Slot slot, unsigned climb, QuickRng& rng);
  Slot allowed_near(Slot slot, Slot near, QuickRng& rng) const;
  Slot near_in_tree(const TreeMachine& tree, Slot slot, unsigned climb, QuickRng& rng) const;
  std::uint32_t node_near(std::uint32_t node, QuickRng& rng);
  void set_steps(const GridNetwork& grid);
  std::uint32_t step(std::uint32_t node, std::uint32_t way, bool periodic) const;

  const Machine& machine_;
  const NetworkMachine* network_;
  const TreeMachine* tree_;
  bool all_allowed_;
  std::uint32_t per_node_ = 1;
  FastDivisor by_per_node_;
  std::vector<FastDivisor> by_leaves_below_;  // by level, of a symmetric tree; empty: another
  std::vector<std::uint32_t> leaves_below_;
  /// Those of a grid that are longer than one node, with the nodes that a step skips.
  struct Dimension {
    std::uint32_t extent;
    std::uint32_t stride;
  };
  std::vector<Dimension> dimensions_;
  std::vector<std::uint32_t> steps_;  // by node and way, two for each dimension; empty: too many
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> nearest_;
};

}  // namespace kith
