#include "simulate/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

namespace kith::simulate {

BoundBy bound_by(const SimulatedRun& run) {
  BoundBy shares;
  if (run.seconds <= 0) return shares;
  for (const PathPart& part : run.path) {
    if (part.kind == PathPart::Kind::compute) {
      shares.compute += part.seconds;
    } else {
      shares.network += part.seconds - part.latency;
      shares.wait += part.latency;
    }
  }
  const double all = shares.compute + shares.network + shares.wait;
  if (all <= 0) return {};
  return {shares.compute / all, shares.network / all, shares.wait / all};
}

std::vector<PathSum> sums_of_path(const std::vector<PathPart>& path) {
  std::map<std::tuple<PathPart::Kind, std::uint32_t, std::uint32_t>, PathSum> sums;
  for (const PathPart& part : path) {
    PathSum& sum = sums[{part.kind, part.rank, part.to}];
    sum.kind = part.kind;
    sum.rank = part.rank;
    sum.to = part.to;
    ++sum.parts;
    sum.bytes += part.bytes;
    sum.seconds += part.seconds;
  }
  std::vector<PathSum> all;
  for (const auto& [key, sum] : sums) all.push_back(sum);
  std::ranges::stable_sort(all, std::greater{}, &PathSum::seconds);
  return all;
}

namespace {

/// What ranks do between calls of MPI.
struct Work {
  double computing = 0;
  double asleep = 0;
  double both() const { return computing + asleep; }
};

std::vector<Work> work_of(const JobReplay& job) {
  std::vector<Work> work(job.ranks);
  for (const Process& process : job.processes) {
    for (std::size_t i = 0; i < process.actions.size(); ++i) {
      if (process.actions[i].kind != Action::Kind::compute) continue;
      work[process.rank].computing += process.actions[i].seconds;
      work[process.rank].asleep += process.sleep_of(i);
    }
    work[process.rank].computing -= process.asleep_after_last;
    work[process.rank].asleep += process.asleep_after_last;
  }
  return work;
}

/// "rank 7, which computes 1.8 times the mean"; empty where none has much more to do.
/// `took_turns`: ranks shared processors, of which one has by chance some turns more.
std::string late_rank(const std::vector<Work>& work, bool took_turns) {
  constexpr double late = 1.2;
  constexpr double some_turns = 0.05;  // seconds
  if (work.size() < 2) return "";
  const auto longest = std::ranges::max_element(work, {}, &Work::both);
  double sum = 0;
  for (const Work& one : work) sum += one.both();
  const double mean = sum / static_cast<double>(work.size());
  if (mean <= 0 || longest->both() < late * mean) return "";
  if (took_turns && longest->both() - mean < some_turns) return "";
  return fmt::format(
      "rank {}, which {} {:.1f} times the mean", longest - work.begin(),
      longest->asleep > longest->computing ? "sleeps or has no processor" : "computes",
      longest->both() / mean);
}

}  // namespace

std::vector<bool> mostly_asleep(const JobReplay& job) {
  std::vector<bool> asleep;
  for (const Work& one : work_of(job)) asleep.push_back(one.asleep > one.computing);
  return asleep;
}

std::string bound_text(const SimulatedRun& run, const JobReplay& job, const MachineLinks& links) {
  const BoundBy shares = bound_by(run);
  if (shares.network >= shares.compute && shares.network >= shares.wait) {
    if (run.links.empty()) return "nothing";
    const LinkUse& fullest = run.links.front();
    // A link that is idle for most of the run is full for one message at a time.
    constexpr double mostly_idle = 0.5;
    const std::string& name = links.links()[fullest.link].name;
    const double busy = 100 * std::min(1.0, fullest.utilisation);
    return fullest.utilisation < mostly_idle
               ? fmt::format("messages, one at a time (no link is busier than {}: {:.2g}%)", name,
                             busy)
               : fmt::format("{} ({:.0f}% busy)", name, busy);
  }
  if (shares.wait > shares.compute) return fmt::format("latency ({:.0f}%)", 100 * shares.wait);
  const std::vector<Work> work = work_of(job);
  // Where messages take a good part, too, an order can spare it: nothing is bound by one rank.
  constexpr double nearly_all = 0.7;
  if (std::string late = late_rank(work, job.dilation > 0);
      !late.empty() && shares.compute >= nearly_all)
    return late;
  Work all;
  for (const Work& one : work) all.computing += one.computing, all.asleep += one.asleep;
  return fmt::format(
      "{} and calls{} ({:.0f}%)", all.asleep > all.computing ? "sleeping" : "computing",
      run.takes_turns() ? " in turns on shared processors" : "", 100 * shares.compute);
}

ErrorBar error_bar(const JobReplay& job, std::optional<double> simulated, Fitted fitted) {
  // Runs of one program with one order differ by some percent on any machine.
  constexpr double least = 0.03;
  // Without a measured run beside it: what models of this kind were off by before they were fitted.
  constexpr double unchecked = 0.2;
  constexpr double tiny = 1e-9;
  double spread = std::min(2 * job.computing_spread, 0.2);
  // The rest of the run may be unlike its beginning.
  constexpr double with_beginning_only = 0.1;
  if (job.covered < 1) spread = std::max(spread, with_beginning_only);
  if (!simulated || job.recorded_seconds <= 0) {
    const double error = std::max(unchecked, spread);
    return {error, error};
  }
  const double miss = *simulated / job.recorded_seconds - 1;
  // With a fitted network other orders were off by up to half, most by less than a quarter.
  constexpr double with_fitted_network = 0.25;
  const double error =
      std::max({fitted == Fitted::network ? with_fitted_network : least,
                fitted == Fitted::machine ? unchecked : least, spread, std::abs(miss) / 2});
  if (fitted == Fitted::computing) return {error, error};
  // What was recorded lies within: below where the simulation took longer, above where it was
  // short.
  const double to_recorded = std::abs(job.recorded_seconds / std::max(*simulated, tiny) - 1);
  return {std::max(error, miss > 0 ? to_recorded : 0), std::max(error, miss < 0 ? to_recorded : 0)};
}

std::optional<double> fitted_computing(const JobReplay& job, const Mapping& present,
                                       const Machine& machine, const NetworkOptions& network,
                                       const SimulationOptions& options, double simulated) {
  constexpr double close = 0.01;
  constexpr double most = 1.5;
  const bool is_crowded = options.processors > 0
                              ? static_cast<double>(job.processes.size()) > options.processors
                              : !options.crowded.empty();
  if (!is_crowded || simulated >= job.recorded_seconds * (1 - 2 * close)) return std::nullopt;
  SimulationOptions quick = options;
  quick.wants_critical_path = false;
  const auto seconds_at = [&](double factor) {
    quick.compute_factor = options.compute_factor * factor;
    MachineLinks links(machine, network);
    return simulate(job, present, machine, links, quick).seconds;
  };
  double low = 1;
  double high = most;
  if (seconds_at(high) < job.recorded_seconds) return std::nullopt;
  while (high - low > close) {
    const double middle = (low + high) / 2;
    (seconds_at(middle) < job.recorded_seconds ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::optional<double> fitted_bandwidth(const JobReplay& job, const Mapping& present,
                                       const Machine& machine, const NetworkOptions& network,
                                       const SimulationOptions& options) {
  SimulationOptions quick = options;
  quick.wants_critical_path = false;
  const auto seconds_at = [&](double factor) {
    NetworkOptions slower = network;
    slower.bandwidth_factor *= factor;
    MachineLinks links(machine, slower);
    return simulate(job, present, machine, links, quick).seconds;
  };
  constexpr double close = 0.01;
  if (seconds_at(1) >= job.recorded_seconds * (1 - close)) return std::nullopt;
  double low = 0.1 / MachineLinks::default_network;
  double high = 1;
  if (seconds_at(low) < job.recorded_seconds) return std::nullopt;
  while (high / low > 1 + close) {
    const double middle = std::sqrt(low * high);
    (seconds_at(middle) > job.recorded_seconds ? low : high) = middle;
  }
  return MachineLinks::default_network * network.bandwidth_factor * std::sqrt(low * high);
}

}  // namespace kith::simulate
