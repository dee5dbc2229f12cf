// The CPUs of a host, and which of them the ranks of a job were given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kith/detail/job.hpp"

namespace kith {

/// Which cores of a host lie in one NUMA node, or in one package.
using Places = std::vector<std::uint32_t>;

/// The cores that may be used, by number; PUs where hwloc knows no cores.
struct HostShape {
  std::vector<CpuSet> cpus;  ///< of each core
  Places numa;               ///< of each core
  Places package;
  std::uint32_t numas = 0;
  std::uint32_t packages = 0;

  std::uint32_t cores() const { return static_cast<std::uint32_t>(cpus.size()); }
};

struct BoundRank {
  std::uint32_t rank = 0;
  std::uint32_t threads = 0;         ///< that it was told to run; 0: not known
  std::uint64_t cpus = 0;            ///< that it may run on
  std::vector<std::uint32_t> cores;  ///< that hold them, ascending
  const JobProcess* process = nullptr;
  std::uint32_t sharing_threads = 0;  ///< that share memory with each other; 0: not known
};

/// A host with what runs on it.
struct HostBinding {
  const HostShape& shape;
  std::vector<BoundRank> ranks;  ///< those with known CPUs, ascending
  std::vector<bool> used;        ///< each core: by any rank

  /// It may run everywhere: it is not bound.
  bool is_free(const BoundRank& rank) const { return rank.cores.size() == shape.cores(); }
  std::uint32_t idle() const { return static_cast<std::uint32_t>(std::ranges::count(used, false)); }
};

/// Without XML the shape has no cores. Throws Error (input) if hwloc cannot read the XML.
HostShape shape_of(const JobHardware& hardware);

/// When the CPUs of a process are looked at.
enum class BindingTime : std::uint8_t { start, end };

/// `processes`: those of one host, with their CPUs known; they and `shape` must outlive it.
HostBinding binding_of(const HostShape& shape, const std::vector<const JobProcess*>& processes,
                       BindingTime time = BindingTime::start);

}  // namespace kith
