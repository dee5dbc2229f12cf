// Which slots of a machine lie near to each other, as a list and as random proposals.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/rng.hpp"
#include "kith/detail/network_machine.hpp"

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

/// Holds a reference to the machine. Memory proportional to the nodes that were asked about.
class SlotProposals {
 public:
  explicit SlotProposals(const Machine& machine);

  /// An allowed slot near an allowed one, perhaps that itself: of a tree one below an ancestor of
  /// random height; of a grid one of the node or, mostly, of a node beside it; of other networks
  /// one of the nodes that Network::nearest() names; where that is not allowed or nothing is known,
  /// one that is numbered close by.
  Slot near(Slot slot, Rng& rng);

 private:
  Slot near_in_tree(const TreeMachine& tree, Slot slot, Rng& rng) const;
  std::uint32_t node_near(std::uint32_t node, Rng& rng);
  std::uint32_t step(const GridNetwork& grid, std::uint32_t node, Rng& rng) const;

  const Machine& machine_;
  const NetworkMachine* network_;
  /// Those of a grid that are longer than one node, with the nodes that a step skips.
  struct Dimension {
    std::uint32_t extent;
    std::uint32_t stride;
  };
  std::vector<Dimension> dimensions_;
  bool all_allowed_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> nearest_;
};

}  // namespace kith
