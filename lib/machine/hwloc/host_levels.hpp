// The cores of a host, and the level of the host at which two of its processes meet.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kith/detail/job.hpp"

struct hwloc_topology;

namespace kith {

class HostLevels {
 public:
  /// For XML of discover_this_host(), which is trusted: throws Error (environment) where hwloc
  /// refuses it; no XML is a host of one level. Starts no process.
  explicit HostLevels(const JobHardware& hardware);

  struct Level {
    std::uint32_t depth = 0;
    std::string name = "host";  ///< as in `kith topo hwloc:`
  };
  /// The lowest level one object of which has all cpus of both (operating-system indices). The host
  /// where cpus are unknown.
  Level meeting(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const;

  /// Cores that may be used, or processing units where no cores are known; 0 without XML.
  std::uint32_t cores() const;

 private:
  std::shared_ptr<hwloc_topology> topology_;  // none without XML
  std::vector<std::string> names_;
};

}  // namespace kith

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
