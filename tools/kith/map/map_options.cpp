#include "map/map_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "kith/error.hpp"
#include "values.hpp"

namespace kith::tools {
namespace {

MapFormat parse_format(const MapCommand& command) {
  if (!command.format) return command.choose ? MapFormat::hosts : MapFormat::mapping;
  // In the order of MapFormat.
  const auto format =
      static_cast<MapFormat>(parse_choice(*command.format, "--format",
                                          {"mapping", "json", "hosts", "nodelist", "rankfile",
                                           "prrte", "mpich", "hydra", "slurm", "flux"}));
  if (!command.choose && (format == MapFormat::hosts || format == MapFormat::nodelist)) {
    throw bad_input("--format", "--choose with it, or a format for all ranks",
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
         "What it is written as: a mapping (default), a JSON document, a file for a launcher "
         "(rankfile: Open MPI 4, prrte: Open MPI 5, mpich: MPICH_RANK_ORDER, hydra: MPICH's "
         "mpiexec, slurm: SLURM_HOSTFILE, flux: a task map), or with --choose the hosts: as Open "
         "MPI's host file (then the default) or as Slurm's --nodelist")
      ->type_name("mapping|json|rankfile|prrte|mpich|hydra|slurm|flux|hosts|nodelist");
  app.add_flag("--json", command.json, "Mapping and metrics as one JSON document");
}

}  // namespace kith::tools
