// The network of a job, from what a probe measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/network/host_network.hpp"
#include "machine/probe_inference/host_groups.hpp"

namespace kith {

/// What `kith probe` finds out.
struct NetworkMeasurements {
  struct Host {
    std::string name;
    std::uint32_t slots = 1;
  };
  /// Between two processes of one host. Hosts and processes are not told apart: `pair.a`, `pair.b`
  /// mean nothing.
  struct Inside {
    std::string level;        ///< where the two meet: "host", "package", ...
    std::uint32_t depth = 0;  ///< of the level, 0 the host: orders the levels
    MeasuredPair pair;
  };
  std::vector<Host> hosts;
  std::vector<MeasuredPair> pairs;  ///< between hosts; each at most once, none need be there
  std::vector<Inside> inside;
};

/// Layers of switches as infer_levels() finds them, the switches numbered by layer ("switch0",
/// "switch2-0"); each level with the medians of its pairs. One host has no levels between hosts.
HostNetwork network_of(const NetworkMeasurements& measured);

}  // namespace kith
