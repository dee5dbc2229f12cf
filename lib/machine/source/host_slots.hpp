// A host as hwloc sees it, as a machine whose slots are cores or processing units.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kith/detail/job.hpp"
#include "kith/machine.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {

struct HostSlots {
  std::unique_ptr<Machine> machine;
  std::vector<CpuSet> cpus;  ///< of each slot, by the operating system's numbers
};

/// Slots are cores, or processing units where asked for or where no core is above them, left to
/// right. `spec` and `kind` are the machine's; `where` names it in errors. Throws Error (input) for
/// a topology without either.
HostSlots host_slots(hwloc_topology* topology, Granularity granularity, const std::string& spec,
                     std::string kind, const std::string& where);

}  // namespace kith
