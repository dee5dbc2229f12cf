// The slots of some nodes.
#pragma once

#include <span>
#include <string_view>

#include "kith/machine.hpp"
#include "machine/network/node_list.hpp"

namespace kith {

/// Of each listed node its allowed slots, or the first so many. Nodes are found by the machine's
/// names for them (HostNames); where it has none by number, "7" or "node7". Throws Error (input),
/// naming `option`, for a node that the machine does not have and for more slots than it has.
SlotSet slots_of_nodes(const Machine& machine, std::span<const NodeCount> nodes,
                       std::string_view option);

}  // namespace kith
