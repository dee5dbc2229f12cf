// Seconds of a recorded job under orders of its ranks: simulated, beside what was measured.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "kith/detail/job.hpp"
#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "simulate/prediction.hpp"

namespace kith::simulate {

struct PredictorOptions {
  NetworkOptions network;
  SimulationOptions simulation;
  std::optional<Sharing> sharing;  ///< nothing: by what is known of the network
  /// What simulates instead of simulate(); may be empty.
  std::function<SimulatedRun(const Mapping&, MachineLinks&, const SimulationOptions&)> engine;
  /// Seconds of the recorded run, simulated on the machine that it ran on, where this is another.
  std::optional<double> simulated_there = std::nullopt;
  /// Hosts of that machine whose ranks shared processors; of this one they are in `simulation`.
  std::vector<CrowdedHost> crowded_there = {};
};

/// Predicted seconds, and between which they are expected.
struct Seconds {
  double seconds = 0;
  double low = 0;
  double high = 0;
};

/// Beyond this a simulation of the recorded run misses the clock so far that users are told.
constexpr double large_miss = 0.15;

/// Whether one of both is twice the other (`miss`: as 0.1): then nobody should go by seconds,
/// and who did not ask for them sees none.
constexpr bool is_hopeless(double miss) {
  return miss < -0.5 || miss > 1;
}

/// Whether an order that is predicted to take `then` is no better than one that takes `now`. What
/// both get wrong alike is in the bars, not in the difference; a thousandth is no difference. Where
/// the recorded run was missed, or not compared (`miss`, as 0.1), only what is slower by more than
/// 2% counts: bytes then say more than seconds.
bool saves_no_time(const Seconds& then, const Seconds& now, std::optional<double> miss);

/// Whether it can be said which of both is shorter: where the recorded run was missed by more than
/// large_miss (`miss`: as 0.1), only if neither bar reaches the other.
bool is_difference_clear(const Seconds& a, const Seconds& b, std::optional<double> miss);

/// Throws Error (input) unless the timeline is one of all ranks, as many as `ranks`, that has a
/// twentieth of the run at least. `name`: of the trace, for the message.
void check_whole(const JobReplay& job, const std::string& name, std::uint32_t ranks);

/// Whether neither the machine nor `network` says how fast hosts reach each other.
bool is_network_unknown(const Machine& machine, const NetworkOptions& network = {});

/// Seconds that a Predictor takes for so many orders of a job that sends so many messages, roughly:
/// on one core of our day, and more where it has to fit the network of the machine.
double seconds_to_predict(std::uint64_t messages, unsigned orders, const Machine& machine);

/// The slot of each rank in the run of `ranks` ranks that `job` describes; nothing where `machine`
/// is another one.
std::optional<Mapping> recorded_order(const JobDescription& job, std::uint32_t ranks,
                                      const Machine& machine);

/// A recorded job on a machine. The run is simulated as recorded first: the error bar of all
/// predictions comes from the difference to the clock. Where the speed of the network between its
/// hosts is not known, it is fitted to that run.
class Predictor {
 public:
  /// `recorded`: the slot of each rank in the recorded run; nothing where that run was on another
  /// machine. The machine must outlive this.
  Predictor(JobReplay job, const Machine& machine, const std::optional<Mapping>& recorded,
            PredictorOptions options = {});

  /// From here on predicts for another machine, with links as said, and with computing times
  /// `compute_factor` times as long. Crowded hosts stay so where it has as many hosts as before;
  /// else what was fitted to their turns goes, too. The machine must outlive this.
  void move_to(const Machine& machine, NetworkOptions network, double compute_factor);

  const JobReplay& job() const { return job_; }
  JobReplay take_job() && { return std::move(job_); }
  double recorded_seconds() const { return job_.recorded_seconds; }
  /// Of the recorded order; nothing where that run was on another machine.
  const std::optional<double>& simulated_seconds() const { return simulated_; }
  /// Of the recorded order on that other machine; nothing where that is not known.
  const std::optional<double>& simulated_there() const { return options_.simulated_there; }
  /// How much longer the simulation of the recorded order takes than the clock said: 0.1 is 10%.
  std::optional<double> miss() const;
  /// MB/s between hosts; nothing where that was known, or is not what bounds the job.
  const std::optional<double>& fitted_bandwidth() const { return fitted_; }
  /// How many times as long as recorded computing takes in all predictions but
  /// simulated_seconds(); nothing where that needed no correction.
  const std::optional<double>& fitted_computing() const { return fitted_computing_; }
  /// What ranks that wait take of shared processors, beside 1 of those that compute: by how long
  /// computing took in the recorded run.
  double turn_of_waiting() const { return options_.simulation.turn_of_waiting; }
  /// By how much the simulation of the recorded order may be off since passes of loops that were
  /// left out (JobReplay::cut) had not settled: 0.1 is 10%.
  double unsettled() const { return unsettled_; }
  /// Hosts whose ranks shared processors in the run that was simulated as recorded.
  const std::vector<CrowdedHost>& crowded_when_recorded() const { return options_.crowded_there; }
  /// Whether ranks have processors of their own here, though they shared them in that run.
  bool gives_own_processors() const {
    return !options_.crowded_there.empty() && options_.simulation.crowded.empty() &&
           options_.simulation.processors == 0;
  }
  /// With the fitted bandwidth.
  const NetworkOptions& network() const { return options_.network; }
  const MachineLinks& links() const { return *links_; }
  /// How messages share links, and whether that was said.
  Sharing sharing() const {
    return options_.sharing.value_or(links_->is_slow_network() ? Sharing::queued : Sharing::fair);
  }
  bool is_sharing_said() const { return options_.sharing.has_value(); }
  /// Whether there is a network.
  bool has_network() const { return machine_->nodes() > 1; }
  /// Whether the speed between its hosts was neither measured nor given, nor fitted.
  bool guesses_network() const { return is_network_unknown(*machine_, options_.network); }

  /// Throws Error (input) as simulate().
  SimulatedRun run(const Mapping& mapping, bool wants_critical_path = false);
  Seconds expected(const SimulatedRun& run) const;

 private:
  SimulationOptions simulation() const;
  void fit(const Mapping& recorded);
  void find_turns(const Mapping& recorded, SimulatedRun& run);
  bool fit_computing(const Mapping& recorded);

  JobReplay job_;
  const Machine* machine_;
  PredictorOptions options_;
  std::optional<double> fitted_;
  std::optional<double> fitted_computing_;
  std::optional<double> simulated_;
  double unsettled_ = 0;
  ErrorBar error_;
  std::unique_ptr<MachineLinks> links_;
};

}  // namespace kith::simulate
