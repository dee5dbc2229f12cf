#include "map/map_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "help/option_groups.hpp"
#include "kith/error.hpp"
#include "values.hpp"

namespace kith::tools {
namespace {

void parse_format(const MapCommand& command, MapWishes& wishes) {
  if (!command.format) {
    if (command.choose) wishes.format = MapFormat::hosts;
    return;
  }
  std::vector<std::string> names{"mapping", "json", "hosts", "nodelist"};  // as in MapFormat
  const std::size_t plain = names.size();
  for (const LaunchFormat& launch : launch_formats()) names.emplace_back(launch.name);
  const std::size_t choice = parse_choice(*command.format, "--format", names);
  wishes.format = choice < plain ? static_cast<MapFormat>(choice) : MapFormat::launch_file;
  if (choice >= plain) wishes.launch = &launch_formats()[choice - plain];
  if (!command.choose &&
      (wishes.format == MapFormat::hosts || wishes.format == MapFormat::nodelist)) {
    throw bad_input("--format", "--choose with it, or a format for all ranks",
                    fmt::format("'{}'", *command.format));
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
  app.add_option("--format", command.format,
                 fmt::format("What it is written as: a mapping (default), a JSON document, a file "
                             "for a launcher ({}), or with --choose the hosts: as Open MPI's host "
                             "file (then the default) or as Slurm's --nodelist",
                             launchers))
      ->type_name(names + "hosts|nodelist");
}

}  // namespace

MapWishes parse_wishes(const MapCommand& command) {
  MapWishes wishes;
  wishes.algorithm = find_algorithm(command.algorithm, "--algorithm");
  wishes.problem = parse_problem(command.problem);
  check_inputs_are_used(command.problem.mapper, {&wishes.algorithm, 1});
  parse_format(command, wishes);
  return wishes;
}

void add_map_options(CLI::App& app, MapCommand& command) {
  add_problem_options(app, command.problem);
  add_from_options(app, command.from);
  app.add_option("--algorithm", command.algorithm,
                 "One of `kith algorithms`, +refine appended or not (default auto)")
      ->type_name("A");
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
  put_in_group(app, places_group, {"--choose"});
  put_in_group(app, output_group, {"-o", "--format", "--json"});
}

}  // namespace kith::tools
