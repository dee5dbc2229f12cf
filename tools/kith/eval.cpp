// kith eval: every metric of a mapping.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "command.hpp"
#include "core/plain_text.hpp"
#include "inputs.hpp"
#include "kith/error.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "results.hpp"

namespace kith::tools {
namespace {

struct EvalOptions {
  std::string trace;
  TraceSelection selection;
  MachineChoice machine;
  std::optional<std::string> mapping;
  std::optional<Goal> goal;  ///< nothing: the default for the machine
  bool json = false;
};

struct Evaluation {
  Mapping mapping;
  Metrics metrics;
  Metrics baseline;
  Goal goal;
  std::uint32_t ranks_on_a_slot;
};

std::string as_json(const Evaluation& found, const Machine& machine) {
  JsonText json;
  json.begin_object();
  json.key("ranks").value(found.mapping.ranks());
  json.key("slots").value(machine.slots());
  put_mapping(json.key("mapping"), found.mapping);
  put_metrics(json.key("metrics"), found.metrics);
  put_metrics(json.key("baseline"), found.baseline);
  json.key("objective").value(found.goal.name());
  json.key("ranks_on_a_slot").value(found.ranks_on_a_slot);
  json.end_object();
  return json.take();
}

std::string as_text(const Evaluation& found, const Machine& machine, const EvalOptions& options) {
  std::string text = fmt::format("{} on {} ({})", number_of(found.mapping.ranks(), "rank"),
                                 machine.spec(), slots_text(machine));
  if (options.selection.phase) text += "; only phase " + printable(*options.selection.phase);
  text += "\n";
  if (!options.mapping) return text + metrics_table({"present order"}, {found.metrics});
  text += metrics_table({"present order", "mapping"}, {found.baseline, found.metrics});
  if (found.ranks_on_a_slot > 1) {
    text += fmt::format("up to {} ranks share a slot: kith run --reorder refuses such a mapping\n",
                        found.ranks_on_a_slot);
  }
  if (const auto ratio = goal_ratio(found.goal, found.metrics, found.baseline)) {
    text += fmt::format("{}: {:.4f} of the present order\n", found.goal.name(), *ratio);
  }
  return text;
}

void run_eval(const EvalOptions& options) {
  const Traffic traffic = read_traffic(options.trace, options.selection);
  const std::uint32_t ranks = traffic.graph.ranks();
  const auto machine = find_machine(options.machine, traffic.trace);
  Evaluation found;
  found.goal = chosen_goal(options.goal, *machine);
  if (options.mapping) {
    found.mapping = read_fitting_mapping(*options.mapping, ranks, *machine);
  } else {
    check_room(ranks, *machine, 1, "a --mapping that puts several on a slot");
    found.mapping = identity_mapping(ranks, *machine, 1);
  }
  const Progress progress("evaluating");
  const Mapping identity = identity_mapping(ranks, *machine, even_capacity(ranks, *machine));
  const auto metrics_of = [&](const Mapping& mapping) {
    return evaluate(traffic.trace.bytes, traffic.graph, *machine, mapping, traffic.on_wire());
  };
  found.baseline = metrics_of(identity);
  found.metrics = metrics_of(found.mapping);
  found.ranks_on_a_slot = most_on_a_slot(found.mapping);
  if (options.json) return print(as_json(found, *machine));
  print(as_text(found, *machine, options));
  tell("network_time: " + (machine->nodes() > 1 ? cables_text(*machine) : memory_text(*machine)));
}

}  // namespace

std::function<void()> set_up_eval(CLI::App& app) {
  const auto options = std::make_shared<EvalOptions>();
  app.description(
      "Evaluates an order of the ranks by every metric: how far bytes travel, which level of "
      "the machine they cross, how much the busiest link carries. Beside it stands the present "
      "order, the launcher's: identity.");
  add_trace_argument(app, options->trace);
  add_machine_options(app, options->machine);
  add_phase_option(app, options->selection.phase);
  app.add_option("--mapping", options->mapping,
                 "A mapping file: what `kith map -o` wrote, or lines `rank slot`; - reads standard "
                 "input; default identity")
      ->type_name("FILE");
  add_objective_option(app, options->goal);
  app.add_flag("--json", options->json, "One JSON document");
  put_in_group(app, input_group, {"--phase", "--mapping", "--objective"});
  put_in_group(app, output_group, {"--json"});
  app.footer(metric_notes() +
             "Examples:\n"
             "  kith eval app.kith                           # the order that the program ran in\n"
             "  kith eval app.kith --topology tree:4x2x8 --mapping app.map\n"
             "  kith eval app.kith --mapping app.map --json");
  return [options] { run_eval(*options); };
}

}  // namespace kith::tools
