// kith predict: seconds of a recorded job under other orders, and on other machines.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "command.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "mapping/constraints.hpp"
#include "output.hpp"
#include "predict_options.hpp"
#include "predict_simgrid.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "simulate/prediction.hpp"

namespace kith::tools {
namespace {

using simulate::JobReplay;
using simulate::MachineLinks;
using simulate::PathPart;
using simulate::SimulatedRun;

/// An order under which the job is simulated.
struct Order {
  std::string name;
  Mapping mapping;
  SimulatedRun run;
};

struct Prediction {
  JobReplay job;
  std::unique_ptr<Machine> machine;  ///< that orders are for
  simulate::NetworkOptions network;  ///< of the machine as asked
  std::optional<double> present;     ///< simulated seconds as recorded
  std::vector<Order> orders;         ///< the present one first
  std::unique_ptr<MachineLinks> links;
  std::optional<double> fitted;  ///< MB/s between hosts
  simulate::ErrorBar error;
  std::unique_ptr<SimgridEngine> simgrid;  ///< where it simulates
};

/// By whichever engine was asked for.
SimulatedRun simulate_order(const Prediction& prediction, const Mapping& mapping,
                            const Machine& machine, MachineLinks& links,
                            const simulate::SimulationOptions& how) {
  if (!prediction.simgrid) {
    return simulate::simulate(prediction.job, mapping, machine, links, how);
  }
  SimulatedRun run;
  run.seconds = prediction.simgrid->seconds(mapping, links, how);
  return run;
}

std::filesystem::path trace_with_timeline(const std::string& name) {
  const auto found = find_trace(name);
  if (found && timeline::TimelineFiles::has_timeline(*found)) return *found;
  throw bad_input(name, "a trace with a timeline, without which nobody can speak of seconds",
                  found ? "one that was recorded without (KITH_TIMELINE=0, or by an earlier Kith)"
                  : std::filesystem::exists(name) ? "a matrix"
                                                  : "nothing of that name");
}

void check_timeline(const JobReplay& job, const std::string& trace, std::uint32_t ranks) {
  if (job.ranks != ranks) {
    throw bad_input(trace, fmt::format("a timeline of {} ranks, as the matrix has them", ranks),
                    fmt::format("one of {}", job.ranks));
  }
  if (job.missing_ranks > 0) {
    throw bad_input(trace, "a timeline of each rank",
                    fmt::format("{} ranks without one", job.missing_ranks));
  }
  if (job.omitted_operations > 0) {
    const double share = static_cast<double>(job.omitted_operations) /
                         static_cast<double>(std::max<std::uint64_t>(job.operations, 1));
    throw bad_input(trace, "a timeline of the whole run",
                    fmt::format("one that leaves out {:.1f}% of its operations: record it again "
                                "with a larger KITH_TIMELINE_MEMORY",
                                100 * share));
  }
}

/// Nobody measured or told how fast hosts reach each other.
bool is_network_unknown(const Machine& machine, const PredictOptions& options) {
  const TreeMachine* const tree = machine.as_tree();
  if (!options.network.levels.empty() || tree == nullptr) return false;
  const unsigned hosts = tree->node_level();
  return hosts > 0 && machine.nodes() > 1 && tree->levels()[hosts - 1].megabytes_per_s <= 0;
}

/// Than the one that the trace was recorded on.
bool is_another_machine(const PredictOptions& options) {
  return options.problem.machine.topology && options.problem.machine.topology != "job";
}

simulate::SimulationOptions simulation_of(const PredictOptions& options,
                                          const MachineLinks& links) {
  simulate::SimulationOptions simulation = options.simulation;
  simulation.sharing = options.sharing.value_or(links.is_slow_network() ? simulate::Sharing::queued
                                                                        : simulate::Sharing::fair);
  return simulation;
}

/// The machine of the trace, as it was: simulated, and fitted where nothing is known of its
/// network.
void simulate_as_recorded(const PredictOptions& options, const Problem& problem,
                          Prediction& prediction) {
  prediction.network = options.network;
  if (is_another_machine(options)) return;
  const Mapping present = problem.identity();
  if (is_network_unknown(*problem.machine, options)) {
    simulate::SimulationOptions slow = options.simulation;
    slow.sharing = options.sharing.value_or(simulate::Sharing::queued);
    prediction.fitted = simulate::fitted_bandwidth(prediction.job, present, *problem.machine,
                                                   options.network, slow);
  }
  if (prediction.fitted) {
    for (const Level& level : problem.machine->as_tree()->levels()) {
      if (&level - problem.machine->as_tree()->levels().data() >=
          static_cast<std::ptrdiff_t>(problem.machine->as_tree()->node_level())) {
        break;
      }
      prediction.network.levels[level.name].megabytes_per_s = *prediction.fitted;
    }
  }
  MachineLinks links(*problem.machine, prediction.network);
  simulate::SimulationOptions quick = simulation_of(options, links);
  quick.wants_critical_path = false;
  prediction.present = simulate_order(prediction, present, *problem.machine, links, quick).seconds;
}

/// The machine with as many hosts as asked, as wide as its ranks need, and with the same links.
void change_hosts(std::uint32_t hosts, const Problem& problem, Prediction& prediction) {
  const std::uint32_t ranks = problem.ranks();
  const std::uint32_t each = (ranks + hosts - 1) / hosts;
  std::unique_ptr<Machine> machine = parse_machine(fmt::format("tree:{}x{}", hosts, each));
  const TreeMachine* const old = problem.machine->as_tree();
  const bool has_cables = old != nullptr && old->node_level() > 0;
  const Level cable = has_cables ? old->levels()[old->node_level() - 1] : Level{.name = "network"};
  simulate::LinkSpeed speed{cable.megabytes_per_s, cable.latency_us > 0 ? cable.latency_us : -1};
  const auto said = prediction.network.levels.find(cable.name);
  if (said != prediction.network.levels.end()) {
    if (said->second.megabytes_per_s > 0) speed.megabytes_per_s = said->second.megabytes_per_s;
    if (said->second.latency_us >= 0) speed.latency_us = said->second.latency_us;
  }
  prediction.network.levels = {{machine->as_tree()->levels().front().name, speed}};
  prediction.machine = std::move(machine);
}

void apply_what_if(const PredictOptions& options, Problem& problem, Prediction& prediction) {
  if (options.what_if.hosts > 0) {
    change_hosts(options.what_if.hosts, problem, prediction);
  } else {
    prediction.machine = std::move(problem.machine);
  }
  prediction.network.bandwidth_factor *= options.what_if.bandwidth_factor;
  prediction.network.latency_factor *= options.what_if.latency_factor;
  if (options.what_if.latency_us >= 0) prediction.network.latency_us = options.what_if.latency_us;
}

std::vector<Order> orders_of(const PredictOptions& options, const Problem& problem,
                             const Machine& machine) {
  std::vector<Order> orders;
  orders.push_back(
      {"present", identity_mapping(problem.ranks(), machine, problem.options.capacity), {}});
  for (const std::string& file : options.mappings) {
    orders.push_back({file, read_fitting_mapping(file, problem.ranks(), machine), {}});
  }
  const std::size_t given = options.mappings.size();
  const std::vector<Algorithm> none;
  const std::vector<Algorithm> standard = {find_algorithm("kith", "--algorithms")};
  const std::vector<Algorithm>& algorithms = !options.algorithms.empty() ? options.algorithms
                                             : given > 0                 ? none
                                                                         : standard;
  for (const Algorithm& algorithm : algorithms) {
    const MapResult result =
        map_ranks(algorithm, {problem.traffic.graph, machine, problem.options,
                              &problem.traffic.trace.bytes, problem.traffic.on_wire()});
    orders.push_back({algorithm.name(), result.mapping, {}});
  }
  return orders;
}

// --- as text ------------------------------------------------------------------------------------

std::string seconds_text(double seconds) {
  if (seconds >= 100) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 0.1) return fmt::format("{:.3g} s", seconds);
  return seconds >= 1e-4 ? fmt::format("{:.3g} ms", 1e3 * seconds)
                         : fmt::format("{:.3g} us", 1e6 * seconds);
}

/// What the whole rests on, before any number.
std::string basis_text(const PredictOptions& options, const Prediction& prediction) {
  std::string text;
  const double recorded = prediction.job.recorded_seconds;
  if (prediction.present) {
    const double miss = *prediction.present / recorded - 1;
    text += fmt::format("recorded: {}; simulated as recorded: {} ({:+.0f}%)\n",
                        seconds_text(recorded), seconds_text(*prediction.present), 100 * miss);
    if (std::abs(miss) > 0.15) {
      text += fmt::format(
          "the simulation misses the recorded run by {:.0f}%: {}\n", 100 * std::abs(miss),
          miss < 0
              ? "something that it does not know took time (slower links than assumed, other "
                "programs on the hosts, files); --link and kith probe tell it more"
              : "links or processors are faster than it was told (--link, --cpus, kith probe)");
    }
  } else {
    text += fmt::format(
        "recorded: {} on another machine than {}: nothing here was compared with a "
        "clock\n",
        seconds_text(recorded), *options.problem.machine.topology);
  }
  if (prediction.fitted) {
    text += fmt::format(
        "bandwidth between hosts: {:.3g} MB/s, so that the recorded order takes as "
        "long as it did (kith probe measures it)\n",
        *prediction.fitted);
  }
  const auto& assumed = prediction.links->assumptions();
  if (!assumed.empty()) {
    text += "assumed: ";
    for (const std::string& one : assumed) text += (&one == assumed.data() ? "" : "; ") + one;
    text += "\n";
  }
  if (prediction.job.one_ended_messages > 0) {
    text += fmt::format("{} messages have only one end in the timeline and take no time\n",
                        prediction.job.one_ended_messages);
  }
  return text;
}

std::string path_text(const SimulatedRun& run) {
  std::string text;
  constexpr std::size_t most = 5;
  const auto sums = simulate::sums_of_path(run.path);
  for (std::size_t i = 0; i < std::min(most, sums.size()); ++i) {
    const simulate::PathSum& sum = sums[i];
    text +=
        sum.kind == PathPart::Kind::compute
            ? fmt::format("  {:>9}  rank {} computes\n", seconds_text(sum.seconds), sum.rank)
            : fmt::format("  {:>9}  {} message{} from rank {} to {}\n", seconds_text(sum.seconds),
                          sum.parts, sum.parts == 1 ? "" : "s", sum.rank, sum.to);
  }
  return text;
}

std::string bound_of(const Order& order, const Prediction& prediction) {
  if (prediction.simgrid) return "by SimGrid";
  return simulate::bound_text(order.run, prediction.job, *prediction.links);
}

std::string as_text(const PredictOptions& options, const Prediction& prediction) {
  std::string text = basis_text(options, prediction);
  std::size_t names = 5;
  for (const Order& order : prediction.orders) names = std::max(names, order.name.size());
  text += fmt::format("{:<{}}  {:>9}  {:>19}  {:>8}  {}\n", "order", names, "seconds", "between",
                      "speed-up", "bound by");
  const double present = prediction.orders.front().run.seconds;
  const Order* best = &prediction.orders.front();
  for (const Order& order : prediction.orders) {
    const double seconds = order.run.seconds;
    text += fmt::format(
        "{:<{}}  {:>9}  {:>19}  {:>7.2f}x  {}\n", printable(order.name), names,
        seconds_text(seconds),
        fmt::format("{}..{}", seconds_text(seconds * (1 - std::min(1.0, prediction.error.below))),
                    seconds_text(seconds * (1 + prediction.error.above))),
        seconds > 0 ? present / seconds : 1, bound_of(order, prediction));
    if (seconds < best->run.seconds) best = &order;
  }
  if (prediction.simgrid) return text;
  text += fmt::format("critical path of {}:\n", printable(best->name)) + path_text(best->run);
  return text;
}

// --- as JSON ------------------------------------------------------------------------------------

void put_path(JsonText& json, const SimulatedRun& run) {
  constexpr std::size_t most = 20;
  json.begin_array();
  const auto sums = simulate::sums_of_path(run.path);
  for (std::size_t i = 0; i < std::min(most, sums.size()); ++i) {
    json.begin_object(JsonLayout::line);
    const bool computes = sums[i].kind == PathPart::Kind::compute;
    json.key("kind").value(computes ? "compute" : "message");
    json.key("rank").value(sums[i].rank);
    if (!computes) {
      json.key("to").value(sums[i].to);
      json.key("bytes").value(sums[i].bytes);
    }
    json.key("count").value(sums[i].parts);
    json.key("seconds").value(sums[i].seconds);
    json.end_object();
  }
  json.end_array();
}

void put_order(JsonText& json, const Order& order, const Prediction& prediction) {
  const double seconds = order.run.seconds;
  const double present = prediction.orders.front().run.seconds;
  const simulate::BoundBy shares = simulate::bound_by(order.run);
  json.begin_object();
  json.key("name").value(order.name);
  put_mapping(json.key("mapping"), order.mapping);
  json.key("seconds").value(seconds);
  json.key("low").value(seconds * (1 - std::min(1.0, prediction.error.below)));
  json.key("high").value(seconds * (1 + prediction.error.above));
  json.key("speedup").value(seconds > 0 ? present / seconds : 1);
  json.key("bound_by").begin_object(JsonLayout::line);
  json.key("compute").value(shares.compute);
  json.key("network").value(shares.network);
  json.key("wait").value(shares.wait);
  json.end_object();
  json.key("bound").value(bound_of(order, prediction));
  json.key("links").begin_array();
  constexpr std::size_t most_links = 10;
  for (std::size_t i = 0; i < std::min(most_links, order.run.links.size()); ++i) {
    const simulate::LinkUse& use = order.run.links[i];
    json.begin_object(JsonLayout::line);
    json.key("name").value(prediction.links->links()[use.link].name);
    json.key("bytes").value(use.bytes);
    json.key("utilisation").value(use.utilisation);
    json.end_object();
  }
  json.end_array();
  put_path(json.key("critical_path"), order.run);
  json.end_object();
}

std::string as_json(const PredictOptions& options, const Prediction& prediction) {
  JsonText json;
  json.begin_object();
  json.key("trace").value(options.problem.trace);
  json.key("ranks").value(prediction.job.ranks);
  json.key("recorded_seconds").value(prediction.job.recorded_seconds);
  json.key("simulated_seconds");
  if (prediction.present) {
    json.value(*prediction.present);
  } else {
    json.null();
  }
  json.key("fitted_megabytes_per_s");
  if (prediction.fitted) {
    json.value(*prediction.fitted);
  } else {
    json.null();
  }
  json.key("assumptions").begin_array();
  for (const std::string& one : prediction.links->assumptions()) json.value(one);
  json.end_array();
  json.key("one_ended_messages").value(prediction.job.one_ended_messages);
  json.key("orders").begin_array();
  for (const Order& order : prediction.orders) put_order(json, order, prediction);
  json.end_array();
  json.end_object();
  return json.take();
}

void run_predict(const PredictOptions& options) {
  if (options.engine == Engine::simgrid && options.simulation.processors > 0) {
    throw bad_input("--cpus", "--engine kith",
                    "--engine simgrid, which gives each rank a processor");
  }
  const std::filesystem::path trace = trace_with_timeline(options.problem.trace);
  check_problem_options(options.problem, options.algorithms);
  ProblemOptions asked = options.problem;
  if (!options.network_file.empty()) {
    asked.machine.topology =
        asked.machine.topology.value_or("job") + ";network=" + options.network_file;
  }
  Problem problem = read_problem(asked);
  MachineLinks(*problem.machine, options.network);  // refuses levels that it does not have
  Progress progress("reading the timeline");
  Prediction prediction;
  {
    timeline::TimelineFiles files(trace);
    prediction.job = simulate::read_job_replay(files);
  }
  check_timeline(prediction.job, options.problem.trace, problem.ranks());
  if (options.engine == Engine::simgrid) {
    prediction.simgrid = std::make_unique<SimgridEngine>(trace);
  }
  progress.show("simulating the run as recorded");
  simulate_as_recorded(options, problem, prediction);
  apply_what_if(options, problem, prediction);
  prediction.error =
      simulate::error_bar(prediction.job, prediction.present, prediction.fitted.has_value());
  progress.show("mapping");
  prediction.orders = orders_of(options, problem, *prediction.machine);
  prediction.links = std::make_unique<MachineLinks>(*prediction.machine, prediction.network);
  simulate::SimulationOptions how = simulation_of(options, *prediction.links);
  how.compute_factor *= options.what_if.compute_factor;
  for (Order& order : prediction.orders) {
    progress.show(fmt::format("simulating {}", order.name));
    order.run =
        simulate_order(prediction, order.mapping, *prediction.machine, *prediction.links, how);
  }
  progress.clear();
  print(options.json ? as_json(options, prediction) : as_text(options, prediction));
}

}  // namespace

std::function<void()> set_up_predict(CLI::App& app) {
  const auto options = std::make_shared<PredictOptions>();
  add_predict_options(app, *options);
  return [options] { run_predict(*options); };
}

}  // namespace kith::tools
