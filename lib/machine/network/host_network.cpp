#include "machine/network/host_network.hpp"

#include <algorithm>

namespace kith {

std::vector<LevelCost> unmeasured_levels(std::size_t layers, std::string_view kind) {
  std::vector<LevelCost> levels{{"network"}};
  for (std::size_t above = layers; above > 0; --above) {
    levels.push_back({std::string(kind) + (above == 1 ? "" : std::to_string(above))});
  }
  return levels;
}

void drop_common_switches(HostNetwork& network) {
  if (network.hosts.empty()) return;
  const auto& first = network.hosts.front().switches;
  std::size_t common = first.size();
  for (const HostNetwork::Host& host : network.hosts) {
    const auto parted = std::ranges::mismatch(first, host.switches).in1;
    common = std::min(common, static_cast<std::size_t>(parted - first.begin()));
  }
  const auto count = static_cast<std::ptrdiff_t>(common);
  for (HostNetwork::Host& host : network.hosts) {
    host.switches.erase(host.switches.begin(), host.switches.begin() + count);
  }
  auto& levels = network.network.levels;
  if (!levels.empty()) levels.erase(levels.begin(), levels.begin() + count);
}

}  // namespace kith
