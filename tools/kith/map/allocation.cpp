#include "map/allocation.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <set>

#include "core/split.hpp"
#include "kith/error.hpp"
#include "machine/network/node_list.hpp"

namespace kith::tools {
namespace {

std::optional<std::string> variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

/// Without the domain.
std::string_view short_name(std::string_view host) {
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

}  // namespace

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

std::string allocation_warning(const Seating& seating) {
  try {
    const auto allocation = present_allocation();
    return allocation ? missing_hosts(seating, *allocation) : "";
  } catch (const Error& error) {
    return fmt::format("warning: not checked against this allocation: {}", error.what());
  }
}

}  // namespace kith::tools
