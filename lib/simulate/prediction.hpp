// What a simulated run tells about an order: seconds with an error, what bounds them, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulate/simulation.hpp"

namespace kith::simulate {

/// Shares of a run's seconds along its critical path; their sum is 1 (0 where the run takes no
/// time).
struct BoundBy {
  double compute = 0;  ///< ranks compute, and post messages
  double network = 0;  ///< bytes are on their way
  double wait = 0;     ///< latency
};
BoundBy bound_by(const SimulatedRun& run);

/// All parts of a critical path that are of one rank, or between two.
struct PathSum {
  PathPart::Kind kind = PathPart::Kind::compute;
  std::uint32_t rank = 0;
  std::uint32_t to = 0;
  std::uint64_t parts = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
};
/// The longest first.
std::vector<PathSum> sums_of_path(const std::vector<PathPart>& path);

/// By rank: whether it sleeps longer than it computes, where it is not in MPI.
std::vector<bool> mostly_asleep(const JobReplay& job);

/// "computing and calls (81%)", "node1 out (93% busy)", "latency (60%)", "rank 7, which
/// computes 2.1 times the mean".
std::string bound_text(const SimulatedRun& run, const JobReplay& job, const MachineLinks& links);

/// How far a prediction may be off, as a fraction of its seconds.
struct ErrorBar {
  double below = 0;
  double above = 0;
};
/// What was chosen such that the recorded order takes as long as it did.
enum class Fitted : std::uint8_t {
  nothing,
  network,
  computing,
  machine,  ///< not fitted, and another one than the recorded run's
};

/// `simulated` and `recorded`: of the order that was recorded, on the machine that it ran on;
/// nothing where they cannot be compared. Then all rests on what is assumed. A fitted network makes
/// them agree, which proves nothing; `simulated` is before computing was fitted.
ErrorBar error_bar(const JobReplay& job, std::optional<double> simulated,
                   Fitted fitted = Fitted::nothing);

/// How many times as long as recorded computing takes where more processes than processors take
/// turns, such that the recorded order, which was `simulated` too short, takes as long as it did:
/// caches are cold after each turn, and who waits for a turn lets others wait. Nothing where each
/// process has a processor, and where 1.5 does not suffice: something else is missing.
std::optional<double> fitted_computing(const JobReplay& job, const Mapping& present,
                                       const Machine& machine, const NetworkOptions& network,
                                       const SimulationOptions& options, double simulated);

/// Bandwidth between hosts (MB/s) with which the recorded order takes as long as it did; nothing
/// where none between 0.1 MB/s and that of `options` does: the network is not what bounds the job.
std::optional<double> fitted_bandwidth(const JobReplay& job, const Mapping& present,
                                       const Machine& machine, const NetworkOptions& network,
                                       const SimulationOptions& options);

}  // namespace kith::simulate
