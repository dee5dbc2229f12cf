// What lies between hosts: network files and Slurm's, told apart by their content.
#include "core/line_reader.hpp"
#include "fuzz.hpp"
#include "machine/network/host_network.hpp"
#include "machine/network/slurm_topology.hpp"

namespace {

void check(const kith::HostNetwork& network) {
  for (const auto& host : network.hosts) {
    kith::fuzz::require(!host.name.empty(), "hosts have names");
    kith::fuzz::require(
        network.network.levels.empty() || host.switches.size() + 1 == network.network.levels.size(),
        "a host names a switch for each level below the top");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = kith::fuzz::file_of(data, size, "topology");
  kith::fuzz::may_refuse([&] {
    kith::LineReader in(path);
    check(kith::KITH_READ(in));
  });
  return 0;
}
