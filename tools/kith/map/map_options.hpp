// What `kith map` is asked for.
#pragma once

#include <optional>
#include <string>

#include "io/launch/launch_file.hpp"
#include "map/from_options.hpp"
#include "map/problem_options.hpp"

namespace kith::tools {

/// The words of the command line.
struct MapCommand {
  ProblemWords problem;
  FromWords from;
  std::string algorithm = "auto";
  std::optional<std::string> output;
  std::optional<std::string> format;
  bool choose = false;
  bool json = false;
};

/// What -o writes: the mapping as such, the chosen hosts, or a launcher's file.
enum class MapFormat { mapping, json, hosts, nodelist, launch_file };

/// All that is known before a file is opened.
struct MapWishes {
  Algorithm algorithm;
  ProblemWishes problem;
  MapFormat format = MapFormat::mapping;
  const LaunchFormat* launch = nullptr;  ///< of MapFormat::launch_file
};

/// Adds all arguments and options. `command` must outlive `app`.
void add_map_options(CLI::App& app, MapCommand& command);

/// Throws Error (input) naming the option.
MapWishes parse_wishes(const MapCommand& command);

}  // namespace kith::tools
