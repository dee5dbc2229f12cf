#include "mapper_tables/measure.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>

#include "core/child_process.hpp"
#include "kith/detail/lower_bound.hpp"
#include "kith/error.hpp"

namespace kith::bench {
namespace {

/// What a process sends back of its outcome: plain data, the complaint's text follows.
struct Numbers {
  Outcome::End end;
  double objective, identity, bound, total_weight, cpu_s, wall_s;
  std::uint64_t peak_mb, input_mb;
};

/// Of this process and the children that it has waited for: Scotch runs in one.
double cpu_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& t : {usage.ru_utime, usage.ru_stime}) {
      sum += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    }
  }
  return sum;
}

/// Of the larger one, where there is a child: it shares what it has not changed.
std::uint64_t peak_megabytes() {
  long peak = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    peak = std::max(peak, usage.ru_maxrss);
  }
  return static_cast<std::uint64_t>(peak) / 1024;
}

void limit_this_process(const Limits& limits) {
  const rlimit time{limits.cpu_s, limits.cpu_s + 1};
  const rlimit memory{limits.memory_mb << 20, limits.memory_mb << 20};
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_AS, &memory);
}

void map_and_judge(const Instance& instance, const Way& way, Numbers& out) {
  const auto graph = TrafficGraph::from(instance.matrix());
  const auto machine = parse_machine(instance.machine);
  MapOptions options;
  options.objective = way.objective.value_or(default_objective(*machine));
  options.effort = way.effort;
  options.threads = way.threads;
  if (instance.coordinates) options.coordinates = instance.coordinates();
  options.loads.assign(graph.ranks(), 1);
  out.input_mb = peak_megabytes();
  const double cpu_before = cpu_seconds();
  const MapResult result = map_ranks(find_algorithm(way.algorithm), {graph, *machine, options});
  out.cpu_s = cpu_seconds() - cpu_before;
  out.wall_s = result.seconds;
  out.peak_mb = peak_megabytes();  // judging comes later

  const auto value = [&](const Mapping& mapping) {
    return objective_of(graph, *machine, mapping, options.objective);
  };
  out.objective = value(result.mapping);
  out.identity = value(identity_mapping(graph.ranks(), *machine, options.capacity));
  out.total_weight = 0.5 * static_cast<double>(kith::total_weight(graph));
  const auto bound = objective_lower_bound(graph, *machine, options.objective, options.capacity);
  out.bound = bound ? bound->value.value() / 2 : 0;
  out.end = Outcome::End::done;
}

/// The body of the measured process.
std::string packed_outcome(const Instance& instance, const Way& way, const Limits& limits) {
  limit_this_process(limits);
  Numbers numbers{};
  std::string complaint;
  try {
    map_and_judge(instance, way, numbers);
  } catch (const Error& error) {
    // Scotch's process has the same limit of time, and its end is an error here. The kernel does
    // not count to the last millisecond.
    const bool is_late = cpu_seconds() >= 0.95 * static_cast<double>(limits.cpu_s);
    numbers.end = is_late ? Outcome::End::out_of_time : Outcome::End::refused;
    complaint = error.what();
  } catch (const std::bad_alloc&) {
    numbers.end = Outcome::End::out_of_memory;
  }
  std::string message(sizeof numbers, '\0');
  std::memcpy(message.data(), &numbers, sizeof numbers);
  return message + complaint;
}

Outcome unpacked(const std::string& message) {
  Numbers n;
  std::memcpy(&n, message.data(), sizeof n);
  return {n.end,   n.objective, n.identity, n.bound,    n.total_weight,
          n.cpu_s, n.wall_s,    n.peak_mb,  n.input_mb, message.substr(sizeof n)};
}

}  // namespace

double objective_of(const TrafficGraph& graph, const Machine& machine, const Mapping& mapping,
                    Objective objective) {
  // The graph's weights are both ways.
  const double halved =
      0.5 / static_cast<double>(objective == Objective::hop_bytes ? 1 : machine.cost_scale());
  return halved * static_cast<double>(evaluate_objective(graph, machine, mapping, objective));
}

Outcome measure(const Instance& instance, const Way& way, const Limits& limits) {
  // Limits count CPU time; who sleeps or starves is stopped, too.
  const auto latest =
      std::chrono::steady_clock::now() + std::chrono::seconds(60 + 5 * limits.cpu_s);
  const ChildEnd end =
      run_in_child([&](const SendToParent& send) { send(packed_outcome(instance, way, limits)); },
                   [&] { return std::chrono::steady_clock::now() > latest; });
  if (end.how == ChildEnd::How::finished) return unpacked(end.message);
  Outcome outcome;
  if (end.how == ChildEnd::How::abandoned || end.signal == SIGXCPU || end.signal == SIGKILL) {
    outcome.end = Outcome::End::out_of_time;
  } else {
    outcome.complaint = "ended by signal " + std::to_string(end.signal);
  }
  return outcome;
}

}  // namespace kith::bench
