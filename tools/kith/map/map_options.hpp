// What `kith map` is asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "kith/mapper.hpp"
#include "mapper_inputs.hpp"

namespace kith::tools {

/// The words of the command line.
struct MapCommand {
  std::string trace;
  MachineChoice machine;
  MapperInputs mapper;
  std::string algorithm = "auto";
  std::optional<std::string> objective;
  std::string effort = "balanced";
  std::string affinity = "bytes";
  std::optional<std::string> phase;
  std::string seed = "1";
  std::optional<std::string> time_limit;
  std::optional<std::string> work;
  bool oversubscribe = false;
  std::optional<std::string> per_slot;
  std::vector<std::string> fixed;
  std::optional<std::string> forbidden;
  std::optional<std::string> output;
  std::optional<std::string> format;
  bool choose = false;
  bool json = false;
};

/// What -o writes.
enum class MapFormat { mapping, json, hosts, nodelist };

/// All that is known before a file is opened.
struct MapWishes {
  Algorithm algorithm;
  MapOptions map;
  std::optional<Objective> objective;
  TraceSelection selection;
  MapFormat format = MapFormat::mapping;
};

/// Adds all options but the trace. `command` must outlive `app`.
void add_map_options(CLI::App& app, MapCommand& command);

/// Throws Error (input) naming the option.
MapWishes parse_wishes(const MapCommand& command);

}  // namespace kith::tools
