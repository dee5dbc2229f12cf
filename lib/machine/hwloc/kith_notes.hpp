// What hwloc has no place for, kept in the infos of the root: costs of levels, and nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {

struct KithNotes {
  std::uint64_t nodes = 0;  ///< 0: nothing known
  std::vector<std::string> node_names = {};
  std::vector<std::uint64_t> costs = {};  ///< of the levels that tell slots apart; empty: hops
  std::uint64_t cost_scale = 1;
};

void write_notes(hwloc_topology* topology, const KithNotes& notes);
/// Empty notes where there are none.
KithNotes read_notes(hwloc_topology* topology);
/// Puts into a tree what of the notes fits it: people edit files.
void apply_notes(KithNotes notes, TreeDescription& tree);

}  // namespace kith
