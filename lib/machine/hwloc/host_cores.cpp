#include "machine/hwloc/host_cores.hpp"

#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {
namespace {

CpuSet cpus_of(const hwloc_obj* object) {
  CpuSet cpus;
  for (int cpu = hwloc_bitmap_first(object->cpuset); cpu >= 0;
       cpu = hwloc_bitmap_next(object->cpuset, cpu)) {
    cpus.add(static_cast<std::uint32_t>(cpu), static_cast<std::uint32_t>(cpu));
  }
  return cpus;
}

bool overlap(const CpuSet& a, const CpuSet& b) {
  auto other = b.ranges().begin();
  for (const CpuSet::Range& range : a.ranges()) {
    while (other != b.ranges().end() && other->last < range.first) ++other;
    if (other != b.ranges().end() && other->first <= range.last) return true;
  }
  return false;
}

}  // namespace

HostCores::HostCores(const JobHardware& hardware, const std::string& where) {
  if (hardware.xml.empty()) return;
  const HwlocTopology topology =
      load_xml(hardware.xml, hardware.origin.empty() ? where : hardware.origin);
  const bool has_cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE) > 0;
  const hwloc_obj_type_t type = has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  hwloc_obj* object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology.get(), type, object)) != nullptr) {
    cpus_.push_back(cpus_of(object));
  }
  if (!cpus_.empty()) all_.add(0, static_cast<std::uint32_t>(cpus_.size() - 1));
}

CpuSet HostCores::holding(const CpuSet& cpus) const {
  CpuSet found;
  for (std::uint32_t i = 0; i < cpus_.size(); ++i) {
    if (overlap(cpus_[i], cpus)) found.add(i, i);
  }
  return found.empty() ? all_ : found;
}

}  // namespace kith
