#include "machine/binding/host_binding.hpp"

#include <algorithm>

#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {
namespace {

/// Numbers the objects of a type that hold cores, and says which of them holds each core. Without
/// such objects one holds all.
std::uint32_t find_places(hwloc_topology* topology, hwloc_obj_type_t type,
                          const std::vector<const hwloc_obj*>& cores, Places& places) {
  places.assign(cores.size(), 0);
  std::uint32_t count = 0;
  hwloc_obj* object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr) {
    bool holds_any = false;
    for (std::size_t i = 0; i < cores.size(); ++i) {
      if (hwloc_bitmap_isincluded(cores[i]->cpuset, object->cpuset) == 0) continue;
      places[i] = count;
      holds_any = true;
    }
    if (holds_any) ++count;  // not memory without processors
  }
  return std::max(count, 1U);
}

}  // namespace

HostShape shape_of(const JobHardware& hardware) {
  HostShape shape;
  if (hardware.xml.empty()) return shape;
  const HwlocTopology topology = load_xml(
      hardware.xml, hardware.origin.empty() ? "hardware " + hardware.digest : hardware.origin);
  const bool has_cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE) > 0;
  const hwloc_obj_type_t type = has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  std::vector<const hwloc_obj*> cores;
  hwloc_obj* object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology.get(), type, object)) != nullptr) {
    cores.push_back(object);
    shape.cpus.push_back(cpus_of(object));
  }
  shape.numas = find_places(topology.get(), HWLOC_OBJ_NUMANODE, cores, shape.numa);
  shape.packages = find_places(topology.get(), HWLOC_OBJ_PACKAGE, cores, shape.package);
  return shape;
}

namespace {

/// The core of each CPU that the host has.
std::vector<std::uint32_t> cores_by_cpu(const HostShape& shape) {
  std::vector<std::uint32_t> core_of;
  for (std::uint32_t core = 0; core < shape.cores(); ++core) {
    for (const CpuSet::Range& range : shape.cpus[core].ranges()) {
      if (core_of.size() <= range.last) core_of.resize(range.last + 1, UINT32_MAX);
      for (std::uint32_t cpu = range.first; cpu <= range.last; ++cpu) core_of[cpu] = core;
    }
  }
  return core_of;
}

BoundRank bound_rank(const JobProcess& process, const CpuSet& cpus,
                     const std::vector<std::uint32_t>& core_of) {
  BoundRank rank{process.rank, process.threads, 0, {}, &process};
  for (const CpuSet::Range& range : cpus.ranges()) {
    const std::uint64_t end = std::min<std::uint64_t>(range.last + 1ULL, core_of.size());
    for (std::uint64_t cpu = range.first; cpu < end; ++cpu) {
      if (core_of[cpu] == UINT32_MAX) continue;
      ++rank.cpus;
      rank.cores.push_back(core_of[cpu]);
    }
  }
  std::ranges::sort(rank.cores);
  rank.cores.erase(std::unique(rank.cores.begin(), rank.cores.end()), rank.cores.end());
  return rank;
}

}  // namespace

HostBinding binding_of(const HostShape& shape, const std::vector<const JobProcess*>& processes,
                       BindingTime time) {
  const std::vector<std::uint32_t> core_of = cores_by_cpu(shape);
  HostBinding binding{shape, {}, std::vector<bool>(shape.cores())};
  for (const JobProcess* process : processes) {
    const bool is_new = time == BindingTime::end && !process->end_cpus.empty();
    binding.ranks.push_back(
        bound_rank(*process, is_new ? process->end_cpus : process->cpus, core_of));
    for (const std::uint32_t core : binding.ranks.back().cores) binding.used[core] = true;
  }
  std::ranges::sort(binding.ranks, {}, &BoundRank::rank);
  return binding;
}

}  // namespace kith
