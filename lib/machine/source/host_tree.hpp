// Hosts below switches, and what is inside them, as a tree of the slots that there are.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kith/detail/job.hpp"
#include "kith/detail/tree_machine.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {

/// Levels: those of the network (one, "network", where it has none), "host", those inside a host.
class HostTree {
 public:
  HostTree(const JobNetwork& network, std::vector<std::string> levels_inside);

  /// Layers of switches above a host.
  std::size_t layers() const { return host_level_ - 1; }
  /// The place of "host" among the levels.
  std::size_t host_level() const { return host_level_; }

  /// The next host, below switches top down, layers() of them. Returns its number, from 0.
  std::uint32_t add_host(const std::vector<std::string>& switches);
  /// The next slot, on a host, below objects inside it: `level` above host_level(), ascending;
  /// `identity` below 2^32, not 0, unique in the host.
  void add_slot(std::uint32_t host, const std::vector<PathGroupings::Step>& inside);

  /// The tree of the slots, with costs where the network has any, and the hosts that have slots as
  /// its nodes; `names` of all hosts, by number. Leaves this empty.
  TreeDescription take(const std::vector<std::string>& names);

 private:
  std::size_t host_level_;
  std::vector<LevelCost> measured_;  // by level
  PathGroupings groupings_;
  std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> switch_of_name_;  // in its parent
  std::vector<std::vector<PathGroupings::Step>> chain_of_host_;
  std::vector<std::uint32_t> host_of_slot_;
};

/// Costs by level from what was measured, in picoseconds a byte: empty if nothing was. A level
/// that was not measured gets the cost of the nearest one that was (of two the upper), scaled by
/// the hops of the two, but no more than the level above it costs and no less than what was
/// measured below.
/// `measured` top down.
std::vector<std::uint64_t> level_costs(const std::vector<LevelCost>& measured);

}  // namespace kith
