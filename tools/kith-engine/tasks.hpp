// What the engine does for a job: one function for each request of protocol/messages.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "kith/detail/goal.hpp"
#include "kith/io.hpp"
#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "kith/traffic.hpp"
#include "protocol/messages.hpp"

namespace kith::tools {

// All throw Error where the input is unusable.

/// "What lies between the hosts of this job?" Without a file: the addresses, else topology.yaml or
/// topology.conf where Slurm keeps it, else nothing is known.
protocol::NetworkAnswer find_network(const protocol::NetworkRequest& request);

/// "In which order should my ranks be?"
protocol::ReorderAnswer find_order(const protocol::ReorderRequest& request);

/// KITH_REORDER=auto at MPI_Init: looks the profile up and decides.
protocol::AutoBeginAnswer begin_run(const protocol::AutoBeginRequest& request);
/// At MPI_Finalize, of a run that was to be kept: renews the profile.
protocol::AutoEndAnswer end_run(const protocol::AutoEndRequest& request);

// What those share that deal with orders.

/// Where the ranks of a request are. Refers to the request.
struct Places {
  const JobDescription& job;         ///< empty where it is not known
  std::unique_ptr<Machine> machine;  ///< its slots: those that hold a process
  Mapping present;                   ///< the slot of each rank
  /// By slot, ascending, the local index of the process there: how many of the job's processes
  /// before it are on its host. Empty where the job is not known.
  std::vector<std::uint32_t> local_indices;
};
Places places_of(const protocol::Situation& situation);

/// Traffic that an order is to suit.
struct SentTraffic {
  TrafficMatrix bytes;
  std::optional<TrafficMatrix> wire;   ///< on_the_wire(); nothing: messages are not known
  std::optional<double> wall_seconds;  ///< of the run that sent it
  const Trace* trace = nullptr;        ///< of that run; null: there is no more to know

  const TrafficMatrix* on_wire() const { return wire ? &*wire : nullptr; }
};
SentTraffic traffic_of(const std::vector<protocol::TrafficCell>& cells, std::uint32_t ranks);

/// The order for traffic that is at hand. `name`: of the traffic, for messages.
protocol::ReorderAnswer order_for(const protocol::Situation& situation, const Places& places,
                                  const SentTraffic& traffic, const std::string& name);

/// The process of rank j has rank new_rank[j].
Mapping mapping_of(const Mapping& present, const std::vector<std::uint32_t>& new_rank);

/// How long all ranks of a job may wait for a prediction: what is less.
struct LongestWait {
  double seconds = 2;
  double share_of_run = 1;  ///< of the time that the recorded run took
};
/// Adds the seconds of both orders to the reason, where the timeline of an earlier run, in the
/// folder `earlier`, says them within `longest`; an order that saves no time is not applied.
/// `job`: of that run.
void add_seconds(const std::filesystem::path& earlier, const JobDescription& job,
                 const LongestWait& longest, const Places& places, protocol::ReorderAnswer& answer);

}  // namespace kith::tools
