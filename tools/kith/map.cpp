// kith map: a slot for each rank.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "core/split.hpp"
#include "inputs.hpp"
#include "kith/error.hpp"
#include "kith/mapper.hpp"
#include "metrics_output.hpp"
#include "output.hpp"
#include "values.hpp"

namespace kith::tools {
namespace {

struct Options {
  std::string trace;
  MachineChoice machine;
  std::string algorithm = "auto";
  std::optional<std::string> objective;
  std::string effort = "balanced";
  std::string affinity = "bytes";
  std::optional<std::string> phase;
  std::string seed = "1";
  std::string threads = "1";
  std::optional<std::string> time_limit;
  std::optional<std::string> work;
  bool oversubscribe = false;
  std::optional<std::string> per_slot;
  std::vector<std::string> fixed;
  std::optional<std::string> forbidden;
  std::optional<std::string> output;
  std::string format = "mapping";
  bool json = false;
};

/// All that is known before a file is opened.
struct Wishes {
  Algorithm algorithm;
  MapOptions map;
  std::optional<Objective> objective;
  TraceSelection selection;
  bool json_file = false;
};

Objective parse_objective(std::string_view text) {
  return parse_choice(text, "--objective", {"hop-bytes", "sum-com"}) == 0 ? Objective::hop_bytes
                                                                          : Objective::sum_com;
}

/// "RANK=SLOT" each; whether they fit trace and machine is map_ranks()' to say.
std::vector<FixedRank> parse_fixed(const std::vector<std::string>& items) {
  std::vector<FixedRank> fixed;
  for (const std::string& item : items) {
    const auto parts = split(item, '=');
    if (parts.size() != 2) throw bad_input("--fix", "RANK=SLOT", "'" + item + "'");
    fixed.push_back(
        {Rank(parse_number32(parts[0], "--fix", 0)), Slot(parse_number32(parts[1], "--fix", 0))});
  }
  return fixed;
}

Wishes parse_wishes(const Options& options) {
  Wishes wishes;
  wishes.algorithm = find_algorithm(options.algorithm, "--algorithm");
  if (options.objective) wishes.objective = parse_objective(*options.objective);
  static constexpr Effort efforts[] = {Effort::fast, Effort::balanced, Effort::best};
  wishes.map.effort =
      efforts[parse_choice(options.effort, "--effort", {"fast", "balanced", "best"})];
  wishes.selection.messages =
      parse_choice(options.affinity, "--affinity", {"bytes", "messages"}) == 1;
  wishes.selection.phase = options.phase;
  if (wishes.selection.messages && wishes.selection.phase) {
    throw bad_input("--affinity", "bytes with --phase (phases hold no messages)", "'messages'");
  }
  wishes.map.seed = parse_number(options.seed, "--seed");
  parse_number(options.threads, "--threads", 1, 1U << 20);  // the answer is the same for any number
  if (options.time_limit)
    wishes.map.time_limit = parse_seconds(*options.time_limit, "--time-limit");
  if (options.work) wishes.map.work = parse_number(*options.work, "--work");
  if (options.per_slot) {
    wishes.map.capacity = parse_number32(*options.per_slot, "--per-slot", 1);
  }
  wishes.map.fixed = parse_fixed(options.fixed);
  wishes.json_file = parse_choice(options.format, "--format", {"mapping", "json"}) == 1;
  return wishes;
}

std::unique_ptr<Machine> choose_machine(const Options& options, const Trace& trace) {
  auto machine = find_machine(options.machine, trace);
  if (!options.forbidden) return machine;
  const SlotSet forbidden = SlotSet::parse(*options.forbidden, "--forbid");
  const Slot last = forbidden.intervals().back().last;
  if (last.value >= machine->slots()) {
    throw bad_input("--forbid", fmt::format("slots below {}", machine->slots()),
                    fmt::format("slot {}", last.value));
  }
  const SlotSet left = machine->allowed().without(forbidden);
  if (left.empty()) throw bad_input("--forbid", "a slot that stays allowed", "none");
  return machine->restricted_to(left);
}

std::string as_json(const std::string& asked, const MapResult& result, const Machine& machine,
                    const Metrics& metrics, const Metrics& baseline, Objective objective,
                    const std::optional<Quantity>& bound) {
  JsonText json;
  json.begin_object();
  json.key("algorithm").value(asked);
  json.key("made_by").value(result.algorithm);
  json.key("ranks").value(result.mapping.ranks());
  json.key("slots").value(machine.slots());
  put_mapping(json.key("mapping"), result.mapping);
  put_metrics(json.key("metrics"), metrics);
  put_metrics(json.key("baseline"), baseline);
  put_bound(json.key("bound"), bound);
  json.key("seconds").value(result.seconds);
  json.key("stopped").value(to_string(result.stopped));
  json.key("objective").value(to_string(objective));
  json.end_object();
  return json.take();
}

std::string summary(const MapResult& result, const Machine& machine, const Metrics& metrics,
                    const Metrics& baseline, Objective objective) {
  const auto ratio = objective_ratio(metrics, baseline, objective);
  return fmt::format(
      "{}: {} ranks on {} ({} slots), {} {}, identity {}{}, {:.2f} s{}", result.algorithm,
      result.mapping.ranks(), machine.spec(), machine.slots(), to_string(objective),
      objective_text(metrics, objective), objective_text(baseline, objective),
      ratio ? fmt::format(" (x {:.4f})", *ratio) : "", result.seconds,
      result.stopped == Stopped::done ? ""
                                      : fmt::format(", stopped by {}", to_string(result.stopped)));
}

void run_map(const Options& options) {
  Wishes wishes = parse_wishes(options);
  const Traffic traffic = read_traffic(options.trace, wishes.selection);
  const std::uint32_t ranks = traffic.graph.ranks();
  const auto machine = choose_machine(options, traffic.trace);
  if (options.oversubscribe) {
    wishes.map.capacity = even_capacity(ranks, *machine);
    wishes.map.least = static_cast<std::uint32_t>(ranks / machine->allowed().size());
  }
  check_room(ranks, *machine, wishes.map.capacity,
             options.per_slot ? "a larger --per-slot" : "--oversubscribe, or --per-slot K");
  const Objective objective = wishes.objective.value_or(default_objective(*machine));
  wishes.map.objective = objective;

  Progress progress("mapping with " + options.algorithm);
  const MapResult result = map_ranks(wishes.algorithm, {traffic.graph, *machine, wishes.map});
  const Metrics metrics = evaluate(traffic.trace.bytes, traffic.graph, *machine, result.mapping);
  const Metrics baseline = evaluate(traffic.trace.bytes, traffic.graph, *machine,
                                    identity_mapping(ranks, *machine, wishes.map.capacity));
  progress.clear();

  if (metrics.objective(objective) > baseline.objective(objective)) {
    tell(fmt::format("warning: {} is worse than identity: {} {} instead of {}", result.algorithm,
                     to_string(objective), objective_text(metrics, objective),
                     objective_text(baseline, objective)));
  }
  const bool need_json = options.json || wishes.json_file;
  const std::string json =
      need_json
          ? as_json(wishes.algorithm.name(), result, *machine, metrics, baseline, objective,
                    objective_lower_bound(traffic.graph, *machine, objective, wishes.map.capacity))
          : std::string();
  if (options.output && wishes.json_file) {
    write_file_atomically(*options.output, json);
  } else if (options.output) {
    write_mapping(*options.output, result.mapping, machine->spec(), machine->hosts_digest());
  }
  if (options.json || (wishes.json_file && !options.output)) {
    print(json);
  } else if (!options.output) {
    print(mapping_text(result.mapping, machine->spec(), machine->hosts_digest()));
  }
  if (!options.json) tell(summary(result, *machine, metrics, baseline, objective));
}

void add_search_options(CLI::App& app, Options& options) {
  app.add_option("--algorithm", options.algorithm,
                 "One of `kith algorithms`, +refine appended or not (default auto)")
      ->type_name("A");
  app.add_option(
         "--objective", options.objective,
         "What to minimise; default sum-com where the machine carries costs, else hop-bytes")
      ->type_name("hop-bytes|sum-com");
  app.add_option("--effort", options.effort, "How hard to try (default balanced)")
      ->type_name("fast|balanced|best");
  app.add_option("--seed", options.seed, "Seed of whatever is random (default 1)")->type_name("N");
  app.add_option("--threads", options.threads, "Threads; the answer is the same for any number")
      ->type_name("N");
  auto* const limit =
      app.add_option("--time-limit", options.time_limit, "Best answer within so many seconds")
          ->type_name("S");
  app.add_option("--work", options.work, "Best answer within so many swap tests; repeatable")
      ->type_name("N")
      ->excludes(limit);
}

void add_placement_options(CLI::App& app, Options& options) {
  auto* const spread = app.add_flag("--oversubscribe", options.oversubscribe,
                                    "More ranks than slots: spread them evenly");
  app.add_option("--per-slot", options.per_slot, "Up to K ranks on a slot")
      ->type_name("K")
      ->excludes(spread);
  app.add_option("--fix", options.fixed, "Rank RANK stays on slot SLOT; may be given again")
      ->type_name("RANK=SLOT")
      ->allow_extra_args(false);
  app.add_option("--forbid", options.forbidden,
                 "Slots to leave empty: 0-7,16 or a file of such lists")
      ->type_name("SLOTS");
}

}  // namespace

std::function<void()> set_up_map(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_trace_argument(app, options->trace);
  add_machine_options(app, options->machine);
  app.add_option("--affinity", options->affinity, "What a pair weighs (default bytes)")
      ->type_name("bytes|messages");
  app.add_option("--phase", options->phase, "Only this phase of the trace")->type_name("NAME");
  add_search_options(app, *options);
  add_placement_options(app, *options);
  app.add_option("-o", options->output, "Where the mapping goes (default standard output)")
      ->type_name("OUT");
  app.add_option("--format", options->format, "What the mapping is written as (default mapping)")
      ->type_name("mapping|json");
  app.add_flag("--json", options->json, "Mapping and metrics as one JSON document");
  app.footer(
      "Examples:\n"
      "  kith map app.kith -o app.map                 # for the machine that the trace ran on\n"
      "  kith map app.kith --topology tree:4x2x8 --algorithm eagermap+refine --json");
  return [options] { run_map(*options); };
}

}  // namespace kith::tools
