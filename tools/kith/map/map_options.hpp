// What `kith map` is asked for.
#pragma once

#include <optional>
#include <string>

#include "io/launch/launch_file.hpp"
#include "problem.hpp"

namespace kith::tools {

/// What -o writes: the mapping as such, the chosen hosts, or a launcher's file.
enum class MapFormat { mapping, json, hosts, nodelist, launch_file };

struct MapCommand {
  ProblemOptions problem;
  std::optional<std::string> from;  ///< a mapping file: where the ranks are now
  /// What a move adds to the objective; a text, since its unit is that of goal and machine.
  std::optional<std::string> move_cost;
  Algorithm algorithm = find_algorithm("auto");
  std::optional<std::string> output;
  std::optional<MapFormat> format;
  const LaunchFormat* launch = nullptr;  ///< of MapFormat::launch_file
  bool choose = false;
  bool json = false;

  MapFormat chosen_format() const {
    return format.value_or(choose ? MapFormat::hosts : MapFormat::mapping);
  }
};

/// Adds all arguments and options. `command` must outlive `app`.
void add_map_options(CLI::App& app, MapCommand& command);

/// What can be said before a file is opened. Throws Error (input) naming the option.
void check_map_options(const MapCommand& command);

/// Sets options.from and options.move_cost of the problem; its goal must be known. Ranks beyond
/// those of the mapping are new. Tells where the mapping was made for another machine. Throws Error
/// (input) with file:line or the option.
void read_from(const MapCommand& command, Problem& problem);

}  // namespace kith::tools
