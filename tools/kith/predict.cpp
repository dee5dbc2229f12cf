// kith predict: seconds of a recorded job under other orders, and on other machines.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "command.hpp"
#include "core/plain_text.hpp"
#include "kith/error.hpp"
#include "mapping/constraints.hpp"
#include "output.hpp"
#include "predict_options.hpp"
#include "predict_simgrid.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "seconds.hpp"

namespace kith::tools {
namespace {

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
  std::unique_ptr<Machine> machine;        ///< that orders are for; null: the problem's
  std::unique_ptr<SimgridEngine> simgrid;  ///< where it simulates
  std::optional<simulate::Predictor> seconds;
  std::vector<Order> orders;  ///< the present one first
  std::string what_if;        ///< that the orders are predicted for; empty: the machine as it is
};

/// Between hosts that the machine does not have, but --what-if.
constexpr char new_network[] = "network";

/// What is said of links that the recorded machine may have.
simulate::NetworkOptions network_as_recorded(const PredictOptions& options,
                                             const Machine& machine) {
  simulate::NetworkOptions network = options.network;
  if (options.what_if.hosts > 1 && machine.nodes() < 2) network.levels.erase(new_network);
  return network;
}

/// As `level` was measured, and as it is said of `name`.
simulate::LinkSpeed speed_of(const Level& level, const simulate::NetworkOptions& network,
                             const std::string& name) {
  simulate::LinkSpeed speed;
  speed.megabytes_per_s = level.megabytes_per_s;
  // A latency that is said has no calls in it, a measured one has.
  if (level.latency_us > 0) {
    speed.latency_us = std::max(level.latency_us - 2 * level.overhead_us, 0.1 * level.latency_us);
  }
  speed.burst_bytes = level.burst_bytes;
  speed.overhead_us = level.overhead_us;
  speed.shared_megabytes_per_s = level.shared_megabytes_per_s;
  speed.eager_bytes = level.eager_bytes;
  const auto said = network.levels.find(name);
  if (said != network.levels.end()) {
    if (said->second.megabytes_per_s > 0) speed.megabytes_per_s = said->second.megabytes_per_s;
    if (said->second.latency_us >= 0) speed.latency_us = said->second.latency_us;
  }
  return speed;
}

/// The machine with as many hosts as asked, as wide as its ranks need; its links keep their speed.
std::unique_ptr<Machine> with_hosts(std::uint32_t hosts, const Problem& problem,
                                    simulate::NetworkOptions& network) {
  const std::uint32_t ranks = problem.ranks();
  const std::uint32_t each = (ranks + hosts - 1) / hosts;
  std::unique_ptr<Machine> machine = parse_machine(fmt::format("tree:{}x{}", hosts, each));
  const TreeMachine* const old = problem.machine->as_tree();
  Level cable{.name = new_network};
  std::optional<Level> in_host;
  if (old != nullptr) {
    const unsigned hosts_of_old = old->node_level();
    if (hosts_of_old > 0) cable = old->levels()[hosts_of_old - 1];
    if (hosts_of_old < old->depth()) in_host = old->levels()[hosts_of_old];
  }
  const auto& levels = machine->as_tree()->levels();
  const std::string said = network.levels.contains(cable.name) ? cable.name : new_network;
  decltype(network.levels) speeds{{levels.front().name, speed_of(cable, network, said)}};
  if (in_host && levels.size() > 1) {
    speeds.emplace(levels[1].name, speed_of(*in_host, network, in_host->name));
  }
  network.levels = std::move(speeds);
  return machine;
}

/// Changes the machine, after the run was simulated as recorded.
void apply_what_if(const PredictOptions& options, const Problem& problem, Prediction& prediction) {
  const WhatIf& what_if = options.what_if;
  prediction.what_if = what_if.words;
  simulate::NetworkOptions network = prediction.seconds->network();
  network.levels.insert(options.network.levels.begin(), options.network.levels.end());
  if (what_if.hosts > 0) {
    prediction.machine = with_hosts(what_if.hosts, problem, network);
    const TreeMachine* const tree = problem.machine->as_tree();
    if (tree == nullptr || tree->node_level() > 1) {
      prediction.what_if += fmt::format(" (alike, and all on one switch, not as {} connects them)",
                                        problem.machine->spec());
    }
  }
  network.bandwidth_factor *= what_if.bandwidth_factor;
  network.latency_factor *= what_if.latency_factor;
  if (what_if.latency_us >= 0) network.latency_us = what_if.latency_us;
  const Machine& machine = prediction.machine ? *prediction.machine : *problem.machine;
  if (what_if.is_about_links() && machine.nodes() < 2) {
    tell(
        "warning: --what-if bandwidth and latency change nothing: they are those between hosts, "
        "and "
        "the machine is one host (--what-if hosts=4 makes it several)");
  }
  prediction.seconds->move_to(machine, std::move(network), what_if.compute_factor);
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

std::string path_text(const SimulatedRun& run, const simulate::JobReplay& job) {
  std::string text;
  const std::vector<bool> sleeps = simulate::mostly_asleep(job);
  constexpr std::size_t most = 5;
  const auto sums = simulate::sums_of_path(run.path);
  for (std::size_t i = 0; i < std::min(most, sums.size()); ++i) {
    const simulate::PathSum& sum = sums[i];
    text +=
        sum.kind == PathPart::Kind::compute
            ? fmt::format("  {:>9}  rank {} {} and calls MPI{}\n", short_seconds(sum.seconds),
                          sum.rank, sleeps[sum.rank] ? "sleeps" : "computes",
                          run.takes_turns() ? ", its waits for a processor included" : "")
            : fmt::format("  {:>9}  {} message{} from rank {} to {}\n", short_seconds(sum.seconds),
                          sum.parts, sum.parts == 1 ? "" : "s", sum.rank, sum.to);
  }
  return text;
}

std::string bound_of(const Order& order, const Prediction& prediction) {
  if (prediction.simgrid) return "by SimGrid";
  return simulate::bound_text(order.run, prediction.seconds->job(), prediction.seconds->links());
}

constexpr char unclear[] = "unclear";

/// Whether it can be said which is faster, the order or the present one.
bool is_clear(const Prediction& prediction, const Order& order) {
  const simulate::Predictor& seconds = *prediction.seconds;
  if (order.mapping == prediction.orders.front().mapping) return true;
  return simulate::is_difference_clear(
      seconds.expected(order.run), seconds.expected(prediction.orders.front().run), seconds.miss());
}

/// Of an order that does not take exactly as long as the present one.
bool is_unclear(const Prediction& prediction, const Order& order) {
  const double present = prediction.orders.front().run.seconds;
  return order.run.seconds > 0 && order.run.seconds != present && !is_clear(prediction, order);
}

/// How many times as fast as the present order; where the recorded run was missed, only if no
/// order's bar reaches the other's.
std::string speed_up_text(const Prediction& prediction, const Order& order) {
  const SimulatedRun& present = prediction.orders.front().run;
  if (order.run.seconds <= 0) return "";
  if (is_unclear(prediction, order)) return unclear;
  return fmt::format("{:.2f}x", present.seconds / order.run.seconds);
}

std::string as_text(const Prediction& prediction, const Problem& problem) {
  std::string text = basis_lines(*prediction.seconds, *problem.machine, problem.phase);
  if (!prediction.what_if.empty()) {
    text += fmt::format("what if: {}; all below is predicted for that\n", prediction.what_if);
  }
  std::size_t names = 5;
  for (const Order& order : prediction.orders) names = std::max(names, order.name.size());
  text += fmt::format("{:<{}}  {:>9}  {:>19}  {:>8}  {}\n", "order", names, "seconds", "between",
                      "speed-up", "bound by");
  const Order* best = &prediction.orders.front();
  for (const Order& order : prediction.orders) {
    const double seconds = order.run.seconds;
    text += fmt::format("{:<{}}  {:>9}  {:>19}  {:>8}  {}\n", printable(order.name), names,
                        short_seconds(seconds), range_text(prediction.seconds->expected(order.run)),
                        speed_up_text(prediction, order), bound_of(order, prediction));
    if (seconds < best->run.seconds) best = &order;
  }
  const Machine& machine = prediction.machine ? *prediction.machine : *problem.machine;
  for (const Order& order : prediction.orders) {
    const std::string note =
        more_nodes_note(machine, prediction.orders.front().mapping, order.mapping);
    if (!note.empty()) text += printable(order.name) + ": " + note;
  }
  if (std::ranges::any_of(prediction.orders,
                          [&](const Order& order) { return is_unclear(prediction, order); })) {
    text += fmt::format("{}: the simulation misses the recorded run, and the ranges overlap\n",
                        unclear);
  }
  const double miss = prediction.seconds->miss().value_or(0);
  if (prediction.simgrid) return text;
  if (simulate::is_hopeless(miss)) {
    return text + "critical path: not shown, as the simulation is that far off\n";
  }
  text += fmt::format("critical path of {}{}:\n", printable(best->name),
                      best->run.left_out > 0 ? ", of what was simulated" : "") +
          path_text(best->run, prediction.seconds->job());
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
  const simulate::Seconds expected = prediction.seconds->expected(order.run);
  json.key("low").value(expected.low);
  json.key("high").value(expected.high);
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
    json.key("name").value(prediction.seconds->links().links()[use.link].name);
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
  json.key("ranks").value(prediction.seconds->job().ranks);
  put_basis(json, *prediction.seconds);
  json.key("orders").begin_array();
  for (const Order& order : prediction.orders) put_order(json, order, prediction);
  json.end_array();
  json.end_object();
  return json.take();
}

/// What --engine asks for.
simulate::PredictorOptions predictor_options(const PredictOptions& options, const Machine& machine,
                                             const SimgridEngine* simgrid) {
  simulate::PredictorOptions asked{
      network_as_recorded(options, machine), options.simulation, options.sharing, {}};
  if (simgrid == nullptr) return asked;
  asked.engine = [simgrid](const Mapping& mapping, MachineLinks& links,
                           const simulate::SimulationOptions& how) {
    SimulatedRun run;
    run.seconds = simgrid->seconds(mapping, links, how);
    return run;
  };
  return asked;
}

Problem problem_of(const PredictOptions& options) {
  check_problem_options(options.problem, options.algorithms);
  ProblemOptions asked = options.problem;
  if (!options.network_file.empty()) {
    const std::string machine = asked.machine.topology.value_or("job");
    if (!machine.starts_with("job")) {
      throw bad_input("--network", "the machine that the job ran on, no other --topology",
                      "'" + machine + "' (--link says speeds of its levels)");
    }
    asked.machine.topology =
        asked.machine.topology.value_or("job") + ";network=" + options.network_file;
    asked.machine.option = "--network";
  }
  return read_problem(asked);
}

void run_predict(const PredictOptions& options) {
  if (options.engine == Engine::simgrid && options.simulation.processors > 0) {
    throw bad_input("--cpus", "--engine kith",
                    "--engine simgrid, which gives each rank a processor");
  }
  const std::filesystem::path trace = trace_with_timeline(options.problem.trace);
  const Problem problem = problem_of(options);
  // Refuses levels that it does not have.
  MachineLinks(*problem.machine, network_as_recorded(options, *problem.machine));
  Progress progress("simulating the run as recorded");
  Prediction prediction;
  if (options.engine == Engine::simgrid) {
    prediction.simgrid = std::make_unique<SimgridEngine>(trace);
  }
  prediction.seconds.emplace(predictor_for(
      options.problem.trace, problem.traffic.trace, *problem.machine,
      predictor_options(options, *problem.machine, prediction.simgrid.get()),
      options.whole_run || prediction.simgrid ? simulate::ReplaySize{simulate::all_operations}
                                              : simulate::ReplaySize{}));
  apply_what_if(options, problem, prediction);
  progress.show("mapping");
  prediction.orders =
      orders_of(options, problem, prediction.machine ? *prediction.machine : *problem.machine);
  for (Order& order : prediction.orders) {
    progress.show(fmt::format("simulating {}", order.name));
    order.run = prediction.seconds->run(order.mapping, true);
  }
  progress.clear();
  tell_layout(problem.traffic.trace);
  print(options.json ? as_json(options, prediction) : as_text(prediction, problem));
}

}  // namespace

std::function<void()> set_up_predict(CLI::App& app) {
  const auto options = std::make_shared<PredictOptions>();
  add_predict_options(app, *options);
  return [options] { run_predict(*options); };
}

}  // namespace kith::tools
