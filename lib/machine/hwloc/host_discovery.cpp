#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "core/digest.hpp"
#include "kith/detail/job.hpp"
#include "kith/error.hpp"
#include "kith/machine.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {
namespace {

bool starts_element(std::string_view line, std::string_view name) {
  const auto first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line.substr(first).starts_with(name);
}

void remove_attribute(std::string& line, std::string_view key) {
  const auto begin = line.find(key);
  if (begin == std::string::npos) return;
  const auto end = line.find('"', begin + key.size());
  if (end != std::string::npos) line.erase(begin, end + 1 - begin);
}

/// Leaves out what differs between equal hosts or is private: names, serial numbers,
/// versions, amounts of memory. hwloc writes an element per line.
std::string without_particulars(std::string_view xml) {
  std::string lean;
  while (!xml.empty()) {
    const auto end = std::min(xml.find('\n'), xml.size() - 1);
    std::string line(xml.substr(0, end + 1));
    xml.remove_prefix(end + 1);
    if (starts_element(line, "<info ") || starts_element(line, "<page_type ") ||
        starts_element(line, "<support ")) {
      continue;
    }
    remove_attribute(line, " local_memory=\"");
    lean += line;
  }
  return lean;
}

using Bitmap = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

Bitmap bitmap_of(const CpuSet& cpus) {
  Bitmap bitmap(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  for (const CpuSet::Range& range : cpus.ranges()) {
    hwloc_bitmap_set_range(bitmap.get(), range.first, static_cast<int>(range.last));
  }
  return bitmap;
}

/// This system with `wanted` CPUs beside those of `allowed`, which hides them.
HwlocTopology load_with(hwloc_const_bitmap_t wanted, hwloc_topology* allowed) {
  auto whole = load_this_system(HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  const Bitmap all(hwloc_bitmap_dup(wanted), hwloc_bitmap_free);
  hwloc_bitmap_or(all.get(), all.get(), hwloc_topology_get_topology_cpuset(allowed));
  hwloc_bitmap_and(all.get(), all.get(), hwloc_topology_get_topology_cpuset(whole.get()));
  // Both can only fail for want of memory, and then leave what they found.
  hwloc_topology_restrict(whole.get(), all.get(), 0);
  hwloc_topology_allow(whole.get(), nullptr, nullptr, HWLOC_ALLOW_FLAG_ALL);
  return whole;
}

}  // namespace

ThisHost discover_this_host(const CpuSet& used) {
  auto topology = load_this_system();
  const Bitmap wanted = bitmap_of(used);
  if (hwloc_bitmap_isincluded(wanted.get(), hwloc_topology_get_topology_cpuset(topology.get())) ==
      0) {
    topology = load_with(wanted.get(), topology.get());
  }
  char* text = nullptr;
  int length = 0;
  if (hwloc_topology_export_xmlbuffer(topology.get(), &text, &length, 0) != 0) {
    throw environment_error("hwloc cannot write this machine's topology");
  }
  ThisHost host;
  host.hardware.xml = without_particulars(text);
  hwloc_free_xmlbuffer(topology.get(), text);
  host.hardware.digest = Digest().add(host.hardware.xml).hex();
  host.cpus = cpus_of(hwloc_get_root_obj(topology.get()));
  return host;
}

}  // namespace kith
