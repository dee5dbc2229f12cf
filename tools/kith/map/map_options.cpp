#include "map/map_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "kith/error.hpp"
#include "values.hpp"

namespace kith::tools {
namespace {

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

}  // namespace

MapWishes parse_wishes(const MapCommand& command) {
  MapWishes wishes;
  wishes.algorithm = find_algorithm(command.algorithm, "--algorithm");
  wishes.problem = parse_problem(command.problem);
  check_inputs_are_used(command.problem.mapper, {&wishes.algorithm, 1});
  wishes.format = parse_format(command);
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
  app.add_option(
         "--format", command.format,
         "What it is written as: a mapping (default), a JSON document, or with --choose the "
         "hosts: as Open MPI's host file (then the default) or as Slurm's --nodelist")
      ->type_name("mapping|json|hosts|nodelist");
  app.add_flag("--json", command.json, "Mapping and metrics as one JSON document");
}

}  // namespace kith::tools
