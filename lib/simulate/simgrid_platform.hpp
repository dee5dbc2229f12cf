// The part of a machine that an order uses, as SimGrid's platform: the same links, routes and
// limits as in our own simulation.
#pragma once

#include <cstdint>

#include "core/fd_writer.hpp"
#include "kith/mapping.hpp"
#include "simulate/machine_links.hpp"

namespace kith::simulate {

/// A route to each slot from each: more become too many.
constexpr std::uint32_t most_simgrid_slots = 128;

struct SimgridPlatform {
  /// network/weight-S. SimGrid divides a link by the inverse of each flow's latency and of its
  /// links' bandwidths times this: all routes that share links are made to have the same sum.
  double weight_s = 0;
};

/// A host for each slot in use (slot7), with a processor for each of its ranks. Throws Error
/// (input) for more slots than most_simgrid_slots.
SimgridPlatform write_simgrid_platform(FdWriter& out, const Mapping& mapping, MachineLinks& links,
                                       double compute_factor);

/// Line i is the host of rank i.
void write_simgrid_hosts(FdWriter& out, const Mapping& mapping);

}  // namespace kith::simulate
