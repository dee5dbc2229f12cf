// What several files need of hwloc.
#pragma once

#include <hwloc.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kith {

struct HwlocDelete {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, HwlocDelete>;

/// The running system, without what the operating system forbids (cgroups), unless `flags` (of
/// hwloc_topology_set_flags()) say so. Throws Error (environment).
HwlocTopology load_this_system(unsigned long flags = 0);
/// Larger XML is refused; smaller describes fewer than 2^24 objects.
inline constexpr std::size_t max_xml_bytes = std::size_t{1} << 28;

/// hwloc XML in memory. `where` names it in errors. Throws Error (input).
HwlocTopology load_xml(const std::string& xml, const std::string& where);
/// The same for XML that hwloc wrote for us, as discover_this_host() has it: not tried in a child
/// first, as MPI processes should not fork. Throws Error (environment).
HwlocTopology load_own_xml(const std::string& xml, const std::string& where);
/// "package:2 core:4 pu:2". Throws Error (input).
HwlocTopology load_synthetic(const std::string& text, const std::string& where);
/// The same for text that Kith made itself: of any size.
HwlocTopology load_synthetic_unchecked(const std::string& text, const std::string& where);
/// The topology as XML of hwloc 2. Throws Error (environment).
std::string xml_text(hwloc_topology* topology);

/// Names of the depths of normal objects, 0 .. hwloc_topology_get_depth()-1: "machine", "package",
/// "numa" (a group that exists for its memory), "l3", ..., "pu". Groups of one subtype have that as
/// their name.
std::vector<std::string> depth_names(hwloc_topology* topology);

/// The whole of a file. Throws Error (input) when it cannot be read or is larger than `max_bytes`;
/// what is no regular file (a pipe, a device) may have 16 MiB.
std::string read_text_file(const std::string& name, std::size_t max_bytes,
                           const std::string& where);

/// Runs `attempt` in a child process without output, core file or more than a minute of processor
/// time. False when the child did not come to its end: a crash, a failed assertion. True as well
/// where no child can be had: then nothing is known. `attempt` must not throw.
bool survives(const std::function<void()>& attempt);

}  // namespace kith
