// What an order of the ranks makes of the traffic, beside the metrics.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "report/report_data.hpp"

namespace kith {

struct ListedHosts {
  std::vector<ReportHost> hosts;  ///< ascending by node
  std::uint64_t left_out = 0;     ///< other nodes of the machine
};
/// The nodes on which any of `mappings` has a rank, the first `most` of them.
ListedHosts hosts_with_ranks(const Machine& machine, std::span<const Mapping* const> mappings,
                             std::size_t most);

/// `hosts` ascending by node. O(entries + ranks log hosts).
HostTraffic host_traffic(const TrafficMatrix& matrix, const Machine& machine,
                         const Mapping& mapping, std::span<const ReportHost> hosts);

/// Bytes between slots that meet at each level, top down: Metrics::level_bytes for machines of
/// every kind. O(entries).
std::vector<Weight> level_bytes(const TrafficMatrix& matrix, const MachineLevels& levels,
                                const Mapping& mapping);

/// The heaviest pairs, ties by lowest ranks; without places. O(edges log most).
std::vector<Talker> biggest_talkers(const TrafficGraph& graph, std::size_t most);

}  // namespace kith
