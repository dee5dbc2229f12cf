#include "map/map_output.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "machine/source/spec_numbers.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

constexpr std::string_view move_cost_option = "--move-cost";

/// Of a mix, whose value is about 1 for identity.
std::uint64_t parse_share(const std::string& text) {
  constexpr double most = 1e6;  // 2^20 x 2^mix_bits is far from overflow
  const auto value = parse_real(text);
  if (!value || !(*value >= 0 && *value <= most)) {
    throw bad_input(move_cost_option, "a number from 0 to 1000000 (a mix is 1 for identity)",
                    fmt::format("'{}'", text));
  }
  return static_cast<std::uint64_t>(std::llround(std::ldexp(*value, mix_bits)));
}

/// In the units of the goal.
std::uint64_t parse_move_cost(const std::string& text, const Machine& machine, const Goal& goal) {
  if (goal.is_mix()) return parse_share(text);
  const bool in_costs = goal.has(Criterion::sum_com) || goal.has(Criterion::max_com);
  const std::uint64_t scale = in_costs ? machine.cost_scale() : 1;
  const ParsedDecimal number = parse_exact_decimal(text, DecimalSyntax::plain);
  if (number.outcome == ParsedDecimal::Outcome::number) {
    CommonScale units;
    Decimal one_unit{1, 0};
    for (std::uint64_t rest = scale; rest > 1; rest /= 10) ++one_unit.fraction;
    if (units.add(one_unit)) {
      if (const auto cost = units.units_of(number.value)) return *cost;
    }
  }
  throw bad_input(move_cost_option,
                  scale == 1
                      ? fmt::format("a whole number from 0 on, as {} is", goal.name())
                      : fmt::format("a number from 0 on in steps of 1/{}, as the costs of {} are",
                                    scale, machine.spec()),
                  fmt::format("'{}'", text));
}

void tell_of_other_machine(const MappingFile& file, const std::string& path,
                           const Machine& machine) {
  if (file.topology && file.whole_topology() != machine.spec()) {
    tell(fmt::format("note: {} was made for {}; its slots are taken as those of {}", path,
                     *file.topology, machine.spec()));
  }
}

/// The words of --format: those of MapFormat in its order, then the launchers'.
std::vector<std::string> format_words() {
  std::vector<std::string> words{"mapping", "json", "hosts", "nodelist"};
  for (const LaunchFormat& launch : launch_formats()) words.emplace_back(launch.name);
  return words;
}

void take_format(MapCommand& command, const std::string& text) {
  constexpr auto launchers = static_cast<std::size_t>(MapFormat::launch_file);
  const std::size_t choice = parse_choice(text, "--format", format_words());
  if (choice < launchers) {
    command.format = static_cast<MapFormat>(choice);
  } else {
    command.format = MapFormat::launch_file;
    command.launch = &launch_formats()[choice - launchers];
  }
}

void add_format_option(CLI::App& app, MapCommand& command) {
  std::string names = "mapping|json|";
  std::string launchers;
  for (const LaunchFormat& launch : launch_formats()) {
    names += fmt::format("{}|", launch.name);
    launchers +=
        fmt::format("{}{}: {}", launchers.empty() ? "" : ", ", launch.name, launch.launcher);
  }
  add_value(
      app, "--format", [&command](const std::string& text) { take_format(command, text); },
      fmt::format("What it is written as: a mapping (default), a JSON document, a file "
                  "for a launcher ({}), or with --choose the hosts: as Open MPI's host "
                  "file (then the default) or as Slurm's --nodelist",
                  launchers))
      ->type_name(names + "hosts|nodelist");
}

void add_from_options(CLI::App& app, MapCommand& command) {
  auto* const from =
      app.add_option("--from", command.from,
                     "Where the ranks are now: moves from there count as --move-cost says. Ranks "
                     "whose slots are not allowed any more move, those beyond the file's are new. "
                     "kith and auto start from it; what other algorithms find is turned so that "
                     "most ranks stay, at the same objective")
          ->type_name("MAPPING");
  app.add_option("--move-cost", command.move_cost,
                 "What each rank that moves adds to the objective, in its units (default 0: of "
                 "equally good mappings the one that moves fewest); of a mix, which identity "
                 "has at 1, the share")
      ->type_name("C")
      ->needs(from);
}

}  // namespace

void add_map_options(CLI::App& app, MapCommand& command) {
  add_problem_options(app, command.problem);
  add_from_options(app, command);
  add_value(
      app, "--algorithm",
      [&command](const std::string& text) {
        command.algorithm = find_algorithm(text, "--algorithm");
      },
      "One of `kith algorithms`, +refine appended or not (default auto)")
      ->type_name("A");
  add_value(
      app, "--threads-of",
      [&command](const std::string& text) {
        command.all_threads = text == "all";
        if (command.all_threads) return;
        const auto rank = parse_unsigned(text);
        if (!rank || *rank > max_index_count) {
          throw bad_input("--threads-of", "a rank or all", fmt::format("'{}'", text));
        }
        command.threads_of = static_cast<std::uint32_t>(*rank);
      },
      "Map the threads of this rank, by what they share (kith run --threads), to the cores (or, "
      "with "
      "--granularity pu, the processing units) that the rank could use; for kith run --bind. all: "
      "map "
      "the ranks as usual, and write OUT.threads, a script that binds the threads of each")
      ->type_name("RANK|all");
  app.add_flag("--choose", command.choose,
               "Choose as few nodes as hold all ranks, near to each other; the answer is a list of "
               "hosts for the scheduler")
      ->excludes(app.get_option("--oversubscribe"))
      ->excludes(app.get_option("--from"));
  app.add_option("-o", command.output, "Where the answer goes (default standard output)")
      ->type_name("OUT");
  add_format_option(app, command);
  app.add_flag("--json", command.json, "Mapping and metrics as one JSON document");
  put_in_group(app, search_group, {"--algorithm"});
  put_in_group(app, places_group, {"--threads-of", "--from", "--move-cost", "--choose"});
  put_in_group(app, output_group, {"-o", "--format", "--json"});
}

void check_map_options(const MapCommand& command) {
  check_problem_options(command.problem, {&command.algorithm, 1});
  const MapFormat format = command.chosen_format();
  if (!command.choose && (format == MapFormat::hosts || format == MapFormat::nodelist)) {
    throw bad_input("--format", "--choose with it, or a format for all ranks",
                    fmt::format("'{}'", format_words()[static_cast<std::size_t>(format)]));
  }
}

void read_from(const MapCommand& command, Problem& problem) {
  if (!command.from) return;
  const std::string& path = *command.from;
  MapOptions& options = problem.options;
  if (command.move_cost) {
    options.move_cost = parse_move_cost(*command.move_cost, *problem.machine, goal_of(options));
  }
  MappingFile file = read_named_mapping(path);
  if (file.mapping.ranks() > problem.ranks()) {
    throw bad_place(path, problem.ranks(),
                    fmt::format("places of the trace's {} ranks only", problem.ranks()),
                    fmt::format("one of rank {}", problem.ranks()));
  }
  tell_of_other_machine(file, path, *problem.machine);
  file.mapping.slot_of.resize(problem.ranks(), no_slot);
  options.from = std::move(file.mapping);
}

}  // namespace kith::tools
