// What `kith probe` found, for people and as JSON.
#pragma once

#include <optional>
#include <string>

#include "kith-probe/report.hpp"
#include "machine/network/host_network.hpp"

namespace kith::tools {

/// A table of the levels and which hosts share a switch; `file` is where the network was written.
std::string probe_text(const probe::Report& report, const HostNetwork& found,
                       const std::optional<std::string>& file);

std::string probe_json(const probe::Report& report, const HostNetwork& found,
                       const std::optional<std::string>& file);

}  // namespace kith::tools
