// What mappers may know beside traffic and machine, and their settings: shared by `kith map` and
// `kith compare`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "kith/mapper.hpp"

namespace kith::tools {

/// The words of the command line.
struct MapperInputs {
  std::optional<std::string> loads;
  std::optional<std::string> coordinates;
  std::optional<std::string> sparse_factor;
  std::string threads = "1";
  std::vector<std::string> settings;
};
void add_mapper_options(CLI::App& app, MapperInputs& inputs);

/// What needs no file. Throws Error (input) naming the option.
void parse_mapper_inputs(const MapperInputs& inputs, MapOptions& options);

/// An input that is given though none of the algorithms goes by it is a mistake: throws Error
/// (input).
void check_inputs_are_used(const MapperInputs& inputs, std::span<const Algorithm> algorithms);

/// Loads and coordinates of the files given, or what the trace has of them. Throws Error (input).
void read_rank_facts(const MapperInputs& inputs, const Trace& trace, MapOptions& options);

/// `options` with only those settings that the algorithm has.
MapOptions with_own_settings(MapOptions options, const Mapper& mapper);

}  // namespace kith::tools
