#include "map/allocation.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "machine/network/node_list.hpp"

namespace kith::tools {
namespace {

std::optional<std::string> variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

struct Allocation {
  std::string source;              ///< the variable that names them
  std::vector<std::string> hosts;  ///< may repeat
};

/// From SLURM_JOB_NODELIST, PBS_NODEFILE or LSB_HOSTS, the first that is set; nothing outside of a
/// batch job. Throws Error (input) for an invalid list.
std::optional<Allocation> present_allocation() {
  if (const auto list = variable("SLURM_JOB_NODELIST")) {
    return Allocation{"SLURM_JOB_NODELIST", expand_hostlist(*list, "SLURM_JOB_NODELIST")};
  }
  Allocation found;
  if (const auto file = variable("PBS_NODEFILE")) {
    found.source = "PBS_NODEFILE";
    for (const NodeCount& node : parse_node_list(*file, found.source)) {
      found.hosts.push_back(node.name);
    }
    return found;
  }
  const auto words = variable("LSB_HOSTS");
  if (!words) return std::nullopt;
  found.source = "LSB_HOSTS";
  for (const std::string_view word : split(*words, ' ')) {
    if (!word.empty()) found.hosts.emplace_back(word);
  }
  return found;
}

/// Without the domain; an address as it is.
std::string_view short_name(std::string_view host) {
  if (host.find_first_not_of("0123456789.") == std::string_view::npos) return host;
  return host.substr(0, host.find('.'));
}

std::string missing_hosts(const Seating& seating, const Allocation& allocation) {
  std::set<std::string_view> held;
  for (const std::string& host : allocation.hosts) held.insert(short_name(host));
  std::vector<std::string> missing;
  for (const SeatingHost& host : seating.hosts) {
    if (host.ranks > 0 && !held.contains(short_name(host.name))) missing.push_back(host.name);
  }
  if (missing.empty()) return "";
  return fmt::format(
      "warning: this allocation ({}) does not hold {}{}: map for its own hosts (a trace made in "
      "it, or --topology)",
      allocation.source, missing.front(),
      missing.size() == 1 ? "" : fmt::format(" and {} more", missing.size() - 1));
}

/// The first host that the launcher will take for another one.
std::string other_order(const std::vector<std::string>& order, const Allocation& allocation) {
  std::vector<std::string_view> held;
  std::set<std::string_view> seen;
  for (const std::string& host : allocation.hosts) {
    if (seen.insert(short_name(host)).second) held.push_back(short_name(host));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i < held.size() && held[i] == short_name(order[i])) continue;
    return fmt::format(
        "warning: ranks would start on the wrong hosts: host {} of this allocation ({}) is {}, of "
        "the file {}",
        i, allocation.source, i < held.size() ? held[i] : "none", order[i]);
  }
  return "";
}

}  // namespace

std::string allocation_warning(const Seating& seating, const LaunchFile& file) {
  try {
    const auto allocation = present_allocation();
    if (!allocation) return "";
    const std::string missing = missing_hosts(seating, *allocation);
    return missing.empty() ? other_order(file.host_order, *allocation) : missing;
  } catch (const Error& error) {
    return fmt::format("warning: not checked against this allocation: {}", error.what());
  }
}

}  // namespace kith::tools
