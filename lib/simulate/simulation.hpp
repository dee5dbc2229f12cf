// A job on a machine under an order, simulated: when each process does what, and how full links
// are.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kith/mapping.hpp"
#include "simulate/crowding.hpp"
#include "simulate/job_replay.hpp"
#include "simulate/machine_links.hpp"

namespace kith::simulate {

/// When messages move whose sender waits for its receiver (above the eager limit).
enum class Progress : std::uint8_t {
  in_calls,  ///< they begin while both ends are in MPI: the library has no thread of its own
  always     ///< as soon as both ends are posted
};

/// How messages that are under way at one time share a link.
enum class Sharing : std::uint8_t {
  fair,   ///< max-min fair: networks that hold senders back
  queued  ///< first come first served: TCP, whose sockets and switches take in what comes
};

/// What is on a link beside queued messages and the headers of each, as a share of it:
/// acknowledgements of those the other way. Found on shaped Ethernet, by stencils that fill their
/// cables.
constexpr double besides_messages = 0.016;

struct SimulationOptions {
  Sharing sharing = Sharing::fair;
  /// Bytes; larger messages wait for their receive. Nothing: MachineLinks::eager_limit().
  std::optional<double> eager_limit;
  /// Seconds of the sender's time for a message, and of the receiver's; nothing: as measured of the
  /// level where they meet, else MachineLinks::default_overhead.
  std::optional<double> send_overhead;
  std::optional<double> receive_overhead;
  /// How often a large message crosses the network before its bytes do (fair). Queued, a head
  /// without bytes goes ahead and the answer comes back, each behind what is queued on its way.
  double rendezvous_latencies = 2;
  Progress progress = Progress::in_calls;
  /// Processors that all ranks share; 0: each host has as many as slots, at least one.
  double processors = 0;
  /// Hosts that have fewer processors than slots.
  std::vector<CrowdedHost> crowded;
  /// Of a process that waits in MPI where processors are shared: what it takes of them, beside 1 of
  /// one that computes.
  double turn_of_waiting = 1;
  double compute_factor = 1;  ///< of all recorded computation
  bool wants_critical_path = true;
};

/// A stretch of the critical path: what the end of the job waited for.
struct PathPart {
  enum class Kind : std::uint8_t { compute, message };
  Kind kind = Kind::compute;
  std::uint32_t rank = 0;  ///< that computed, or sent
  std::uint32_t to = 0;    ///< of a message: its receiver
  std::uint64_t bytes = 0;
  double begin = 0;  ///< seconds
  double seconds = 0;
  double latency = 0;  ///< of `seconds`
};

struct LinkUse {
  std::uint32_t link = 0;  ///< index into MachineLinks::links()
  double bytes = 0;        ///< of the whole job
  double utilisation = 0;  ///< share of the time that it would be busy at full speed
};

struct SimulatedRun {
  double seconds = 0;  ///< of the whole job
  /// Of `seconds`: of passes of loops that were left out (JobReplay::cut), each as long as one of
  /// those that were simulated last; and of what the timeline leaves out (JobReplay::covered),
  /// which takes its share.
  double left_out = 0;
  double left_out_error =
      0;  ///< seconds by which `left_out` may be off: whether passes had settled
  // What follows is of what was simulated, except for rank_end and links.
  std::uint64_t messages = 0;
  double computing = 0;  ///< seconds of all processes
  /// How many times as long computing took by the clock where processors were shared; 0: nowhere.
  double dilation = 0;
  bool takes_turns() const {
    constexpr double clearly = 1.05;
    return dilation > clearly;
  }
  double waiting = 0;    ///< seconds that all processes wait for messages
  double delivery_seconds = 0;  ///< sum of all messages' times from when they could leave to their end
  std::uint32_t last_rank = 0;
  std::vector<double> rank_end;  ///< seconds, by rank
  std::vector<LinkUse> links;    ///< all that were used, the fullest first
  std::vector<PathPart> path;    ///< from the beginning to the end
};

/// Deterministic. Throws Error (input) where the replay stops since ranks wait for each other: what
/// was recorded does not fit together. O(messages log ranks) and more where links are shared by
/// many.
SimulatedRun simulate(const JobReplay& job, const Mapping& mapping, const Machine& machine,
                      MachineLinks& links, const SimulationOptions& options);

}  // namespace kith::simulate
