#include "map/map_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/split.hpp"
#include "kith/error.hpp"
#include "values.hpp"

namespace kith::tools {
namespace {

Objective parse_objective(std::string_view text) {
  return parse_choice(text, "--objective", {"hop-bytes", "sum-com"}) == 0 ? Objective::hop_bytes
                                                                          : Objective::sum_com;
}

MapFormat parse_format(const MapCommand& command) {
  if (!command.format) return command.choose ? MapFormat::hosts : MapFormat::mapping;
  static constexpr MapFormat formats[] = {MapFormat::mapping, MapFormat::json, MapFormat::hosts,
                                          MapFormat::nodelist};
  const MapFormat format =
      formats[parse_choice(*command.format, "--format", {"mapping", "json", "hosts", "nodelist"})];
  if (!command.choose && (format == MapFormat::hosts || format == MapFormat::nodelist)) {
    throw bad_input("--format", "mapping or json, without --choose",
                    fmt::format("'{}'", *command.format));
  }
  return format;
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

void add_search_options(CLI::App& app, MapCommand& command) {
  app.add_option("--algorithm", command.algorithm,
                 "One of `kith algorithms`, +refine appended or not (default auto)")
      ->type_name("A");
  app.add_option(
         "--objective", command.objective,
         "What to minimise; default sum-com where the machine carries costs, else hop-bytes")
      ->type_name("hop-bytes|sum-com");
  app.add_option("--effort", command.effort, "How hard to try (default balanced)")
      ->type_name("fast|balanced|best");
  app.add_option("--seed", command.seed, "Seed of whatever is random (default 1)")->type_name("N");
  auto* const limit =
      app.add_option("--time-limit", command.time_limit, "Best answer within so many seconds")
          ->type_name("S");
  app.add_option("--work", command.work, "Best answer within so many swap tests; repeatable")
      ->type_name("N")
      ->excludes(limit);
}

void add_placement_options(CLI::App& app, MapCommand& command) {
  auto* const spread = app.add_flag("--oversubscribe", command.oversubscribe,
                                    "More ranks than slots: spread them evenly");
  app.add_option("--per-slot", command.per_slot, "Up to K ranks on a slot")
      ->type_name("K")
      ->excludes(spread);
  app.add_option("--fix", command.fixed, "Rank RANK stays on slot SLOT; may be given again")
      ->type_name("RANK=SLOT")
      ->allow_extra_args(false);
  app.add_flag("--choose", command.choose,
               "Choose as few nodes as hold all ranks, near to each other; the answer is a list of "
               "hosts for the scheduler")
      ->excludes(spread);
  app.add_option("--forbid", command.forbidden,
                 "Slots to leave empty: 0-7,16 or a file of such lists")
      ->type_name("SLOTS");
}

}  // namespace

MapWishes parse_wishes(const MapCommand& command) {
  MapWishes wishes;
  wishes.algorithm = find_algorithm(command.algorithm, "--algorithm");
  if (command.objective) wishes.objective = parse_objective(*command.objective);
  static constexpr Effort efforts[] = {Effort::fast, Effort::balanced, Effort::best};
  wishes.map.effort =
      efforts[parse_choice(command.effort, "--effort", {"fast", "balanced", "best"})];
  wishes.selection.messages =
      parse_choice(command.affinity, "--affinity", {"bytes", "messages"}) == 1;
  wishes.selection.phase = command.phase;
  if (wishes.selection.messages && wishes.selection.phase) {
    throw bad_input("--affinity", "bytes with --phase (phases hold no messages)", "'messages'");
  }
  wishes.map.seed = parse_number(command.seed, "--seed");
  parse_mapper_inputs(command.mapper, wishes.map);
  if (command.time_limit)
    wishes.map.time_limit = parse_seconds(*command.time_limit, "--time-limit");
  if (command.work) wishes.map.work = parse_number(*command.work, "--work");
  if (command.per_slot) {
    wishes.map.capacity = parse_number32(*command.per_slot, "--per-slot", 1);
  }
  wishes.map.fixed = parse_fixed(command.fixed);
  wishes.format = parse_format(command);
  return wishes;
}

void add_map_options(CLI::App& app, MapCommand& command) {
  add_machine_options(app, command.machine);
  app.add_option("--affinity", command.affinity, "What a pair weighs (default bytes)")
      ->type_name("bytes|messages");
  app.add_option("--phase", command.phase, "Only this phase of the trace")->type_name("NAME");
  add_search_options(app, command);
  add_mapper_options(app, command.mapper);
  add_placement_options(app, command);
  app.add_option("-o", command.output, "Where the answer goes (default standard output)")
      ->type_name("OUT");
  app.add_option(
         "--format", command.format,
         "What it is written as: a mapping (default), a JSON document, or with --choose the "
         "hosts: as Open MPI's host file (then the default) or as Slurm's --nodelist")
      ->type_name("mapping|json|hosts|nodelist");
  app.add_flag("--json", command.json, "Mapping and metrics as one JSON document");
}

}  // namespace kith::tools
