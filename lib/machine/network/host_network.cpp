#include "machine/network/host_network.hpp"

#include <algorithm>

namespace kith {
namespace {

/// The name before the first dot; empty for addresses.
std::string short_name(std::string_view name) {
  if (name.find_first_not_of("0123456789.") == std::string_view::npos) return {};
  return std::string(name.substr(0, name.find('.')));
}

}  // namespace

HostNames::HostNames(std::span<const std::string> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!whole_.try_emplace(names[i], i).second) continue;
    const auto [known, is_new] = short_.try_emplace(short_name(names[i]), i);
    if (!is_new) known->second = several;
  }
}

std::optional<std::size_t> HostNames::find(std::string_view name) const {
  if (const auto found = whole_.find(std::string(name)); found != whole_.end()) {
    return found->second;
  }
  const std::string part = short_name(name);
  const auto found = short_.find(part);
  if (part.empty() || found == short_.end() || found->second == several) return std::nullopt;
  // "n1.here" and "n1.there" are two hosts; one of the names has to be the short one.
  if (part != name && !whole_.contains(part)) return std::nullopt;
  return found->second;
}

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
