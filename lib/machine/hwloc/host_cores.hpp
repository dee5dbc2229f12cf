// The cores of a host as launchers number them.
#pragma once

#include <string>
#include <vector>

#include "kith/job.hpp"

namespace kith {

/// What a launcher calls the cores of a host: hwloc's logical numbers, 0 .. cores-1. Where hwloc
/// sees no cores, those of its processing units.
class HostCores {
 public:
  /// `where` names the hardware in errors. Throws Error (input) for XML that hwloc does not read.
  HostCores(const JobHardware& hardware, const std::string& where);

  /// All of them; empty where the hardware is not known.
  const CpuSet& all() const { return all_; }
  /// Those that hold one of `cpus` (the operating system's numbers); all where none does.
  CpuSet holding(const CpuSet& cpus) const;

 private:
  std::vector<CpuSet> cpus_;  // of each core, by its number
  CpuSet all_;
};

}  // namespace kith
