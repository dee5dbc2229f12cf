#include <string>
#include <string_view>

#include "core/digest.hpp"
#include "kith/error.hpp"
#include "kith/job.hpp"
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

/// Leaves out what differs between equal hosts or is nobody's business: names, serial numbers,
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

}  // namespace

JobHardware discover_this_host() {
  const auto topology = load_this_system();
  char* text = nullptr;
  int length = 0;
  if (hwloc_topology_export_xmlbuffer(topology.get(), &text, &length, 0) != 0) {
    throw environment_error("hwloc cannot write this machine's topology");
  }
  JobHardware hardware;
  hardware.xml = without_particulars(text);
  hwloc_free_xmlbuffer(topology.get(), text);
  hardware.digest = Digest().add(hardware.xml).hex();
  return hardware;
}

}  // namespace kith
