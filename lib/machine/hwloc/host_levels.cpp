#include "machine/hwloc/host_levels.hpp"

#include <algorithm>

#include "kith/error.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {
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
