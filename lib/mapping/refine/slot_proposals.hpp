// Random slots near a given one.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/rng.hpp"
#include "kith/detail/network_machine.hpp"

namespace kith {

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
