// Which slots of a machine that is no tree lie near to each other.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

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

}  // namespace kith
