#include "simulate/predictor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"

namespace kith::simulate {

bool is_network_unknown(const Machine& machine, const NetworkOptions& network) {
  const TreeMachine* const tree = machine.as_tree();
  if (!network.levels.empty() || tree == nullptr) return false;
  const unsigned hosts = tree->node_level();
  return hosts > 0 && machine.nodes() > 1 && tree->levels()[hosts - 1].megabytes_per_s <= 0;
}

double seconds_to_predict(std::uint64_t messages, unsigned orders, const Machine& machine) {
  constexpr double messages_per_second = 400'000;
  constexpr double to_read = 1;  // and to simulate: as long as an order each
  constexpr double as_recorded = 1;
  constexpr double to_fit = 16;
  const double simulations =
      orders + to_read + as_recorded + (is_network_unknown(machine) ? to_fit : 0);
  return static_cast<double>(messages) * simulations / messages_per_second;
}

bool saves_no_time(const Seconds& then, const Seconds& now, std::optional<double> miss) {
  constexpr double least = 0.001;
  constexpr double slower = 1.02;
  const bool is_met = miss && std::abs(*miss) <= large_miss;
  return is_met ? then.seconds >= (1 - least) * now.seconds : then.seconds > slower * now.seconds;
}

bool is_difference_clear(const Seconds& a, const Seconds& b, std::optional<double> miss) {
  const bool is_met = std::abs(miss.value_or(0)) <= large_miss;
  return is_met || a.high < b.low || b.high < a.low;
}

std::optional<Mapping> recorded_order(const JobDescription& job, std::uint32_t ranks,
                                      const Machine& machine) {
  if (machine.kind() != "job" || job.processes.size() != ranks) return std::nullopt;
  Mapping recorded;
  recorded.slot_of.resize(ranks, Slot(0));
  for (std::uint32_t j = 0; j < ranks; ++j) {
    const std::uint32_t rank = job.processes[j].rank;
    if (rank >= ranks || !machine.allowed().contains(Slot(j))) return std::nullopt;
    recorded.slot_of[rank] = Slot(j);
  }
  return recorded;
}

void check_whole(const JobReplay& job, const std::string& name, std::uint32_t ranks) {
  if (job.ranks != ranks) {
    throw bad_input(name, fmt::format("a timeline of {} ranks, as the matrix has them", ranks),
                    fmt::format("one of {}", job.ranks));
  }
  if (job.missing_ranks > 0) {
    throw bad_input(name, "a timeline of each rank",
                    fmt::format("{} ranks without one{}", job.missing_ranks,
                                name.ends_with(".partial")
                                    ? " (of a job that is killed a rank has one once it has called "
                                      "MPI for more than 2 seconds)"
                                    : ""));
  }
  constexpr double least_covered = 0.05;
  if (job.covered < least_covered) {
    throw bad_input(name, "a timeline of the run, or of its first twentieth at least",
                    fmt::format("one of the first {:.2g}%: record it again with a larger "
                                "KITH_TIMELINE_MEMORY",
                                100 * job.covered));
  }
}

Predictor::Predictor(JobReplay job, const Machine& machine, const std::optional<Mapping>& recorded,
                     PredictorOptions options)
    : job_(std::move(job)), machine_(&machine), options_(std::move(options)) {
  if (recorded) options_.crowded_there = options_.simulation.crowded;
  if (recorded) fit(*recorded);
  links_ = std::make_unique<MachineLinks>(machine, options_.network);
  if (recorded) {
    SimulatedRun as_recorded = run(*recorded);
    find_turns(*recorded, as_recorded);
    simulated_ = as_recorded.seconds;
    if (as_recorded.seconds > 0) unsettled_ = as_recorded.left_out_error / as_recorded.seconds;
  }
  Fitted what = fitted_ ? Fitted::network : Fitted::nothing;
  if (recorded && !fitted_ && fit_computing(*recorded)) what = Fitted::computing;
  const bool is_moved = !recorded && options_.simulated_there;
  error_ = is_moved ? error_bar(job_, options_.simulated_there, Fitted::machine)
                    : error_bar(job_, simulated_, what);
}

void Predictor::fit(const Mapping& recorded) {
  if (!is_network_unknown(*machine_, options_.network)) return;
  // Waits for processors would count as waits for the network.
  if (!options_.simulation.crowded.empty()) return;
  SimulationOptions slow = options_.simulation;
  slow.sharing = options_.sharing.value_or(Sharing::queued);
  fitted_ = simulate::fitted_bandwidth(job_, recorded, *machine_, options_.network, slow);
  if (!fitted_) return;
  const TreeMachine& tree = *machine_->as_tree();
  for (unsigned level = 0; level < tree.node_level(); ++level) {
    options_.network.levels[tree.levels()[level].name].megabytes_per_s = *fitted_;
  }
}

/// `run`: as recorded, with waiting ranks that take turns like all others. Then computing took as
/// much longer as there are more ranks than processors; where it did not, and all took less time
/// than so, they gave way.
void Predictor::find_turns(const Mapping& recorded, SimulatedRun& run) {
  constexpr double noise = 0.1;
  constexpr double slow = 0.02;
  const double most = run.dilation;
  if (job_.dilation <= 0 || options_.engine || job_.dilation >= (1 - noise) * most) return;
  if (run.seconds <= (1 + slow) * job_.recorded_seconds) return;
  double& turn = options_.simulation.turn_of_waiting;
  turn = 0;
  run = this->run(recorded);
  const double least = run.dilation;
  if (job_.dilation <= least || most <= least) return;
  turn = std::min(1.0, (job_.dilation - least) / (most - least));
  run = this->run(recorded);
}

bool Predictor::fit_computing(const Mapping& recorded) {
  if (options_.engine) return false;
  fitted_computing_ = simulate::fitted_computing(job_, recorded, *machine_, options_.network,
                                                 simulation(), *simulated_);
  options_.simulation.compute_factor *= fitted_computing_.value_or(1);
  return fitted_computing_.has_value();
}

void Predictor::move_to(const Machine& machine, NetworkOptions network, double compute_factor) {
  const bool is_like = machine.nodes() == machine_->nodes();
  if (!is_like) {
    // Nor does what was fitted to turns on its processors, or the bars of that.
    options_.simulation.crowded.clear();
    options_.simulation.compute_factor /= fitted_computing_.value_or(1);
    fitted_computing_.reset();
    if (simulated_) error_ = error_bar(job_, simulated_, Fitted::machine);
  }
  machine_ = &machine;
  options_.network = std::move(network);
  options_.simulation.compute_factor *= compute_factor;
  links_ = std::make_unique<MachineLinks>(machine, options_.network);
}

std::optional<double> Predictor::miss() const {
  const std::optional<double>& simulated = simulated_ ? simulated_ : options_.simulated_there;
  if (!simulated || job_.recorded_seconds <= 0) return std::nullopt;
  return *simulated / job_.recorded_seconds - 1;
}

SimulationOptions Predictor::simulation() const {
  SimulationOptions simulation = options_.simulation;
  simulation.sharing = sharing();
  return simulation;
}

SimulatedRun Predictor::run(const Mapping& mapping, bool wants_critical_path) {
  SimulationOptions how = simulation();
  how.wants_critical_path = wants_critical_path;
  if (options_.engine) return options_.engine(mapping, *links_, how);
  return simulate(job_, mapping, *machine_, *links_, how);
}

Seconds Predictor::expected(const SimulatedRun& run) const {
  const double seconds = run.seconds;
  const double below = std::max(error_.below * seconds, run.left_out_error);
  const double above = std::max(error_.above * seconds, run.left_out_error);
  return {seconds, std::max(0.0, seconds - below), seconds + above};
}

}  // namespace kith::simulate
