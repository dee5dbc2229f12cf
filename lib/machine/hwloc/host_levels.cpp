#include "machine/hwloc/host_levels.hpp"

#include <algorithm>

#include "kith/error.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {
namespace {

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

namespace {

using Bitmap = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

/// Adds those cpus that the topology knows; false when none is.
bool add_known(hwloc_bitmap_t set, hwloc_const_cpuset_t known,
               std::span<const std::uint32_t> cpus) {
  bool any = false;
  for (const std::uint32_t cpu : cpus) {
    if (hwloc_bitmap_isset(known, cpu) == 0) continue;
    hwloc_bitmap_set(set, cpu);
    any = true;
  }
  return any;
}

}  // namespace

HostLevels::HostLevels(const JobHardware& hardware) {
  if (hardware.xml.empty()) return;
  topology_ = load_own_xml(hardware.xml, "hardware " + hardware.digest);
  names_ = depth_names(topology_.get());
  names_.front() = "host";
}

HostLevels::Level HostLevels::meeting(std::span<const std::uint32_t> a,
                                      std::span<const std::uint32_t> b) const {
  if (!topology_) return {};
  const Bitmap set(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  if (!set) throw environment_error("out of memory");
  hwloc_const_cpuset_t known = hwloc_topology_get_topology_cpuset(topology_.get());
  if (!add_known(set.get(), known, a) || !add_known(set.get(), known, b)) return {};
  const hwloc_obj* object = hwloc_get_obj_covering_cpuset(topology_.get(), set.get());
  if (object == nullptr) return {};
  // Of two levels that divide the host alike the upper one counts.
  int depth = object->depth;
  while (depth > 0 && hwloc_get_nbobjs_by_depth(topology_.get(), depth) ==
                          hwloc_get_nbobjs_by_depth(topology_.get(), depth - 1)) {
    --depth;
  }
  return {static_cast<std::uint32_t>(depth), names_[static_cast<std::size_t>(depth)]};
}

std::uint32_t HostLevels::cores() const {
  if (!topology_) return 0;
  int cores = hwloc_get_nbobjs_by_type(topology_.get(), HWLOC_OBJ_CORE);
  if (cores <= 0) cores = hwloc_get_nbobjs_by_type(topology_.get(), HWLOC_OBJ_PU);
  return static_cast<std::uint32_t>(std::max(cores, 0));
}

}  // namespace kith
