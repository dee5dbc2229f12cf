#include "mapper_inputs.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "help/option_groups.hpp"
#include "kith/error.hpp"
#include "values.hpp"

namespace kith::tools {
namespace {

SettingValue parse_setting(const std::string& text) {
  const auto sign = text.find('=');
  if (sign == std::string::npos || sign == 0) {
    throw bad_input("--set", "NAME=VALUE (kith algorithms lists the names)", in_quotes(text));
  }
  return {text.substr(0, sign), text.substr(sign + 1)};
}

/// "16x16x8"; nothing where that is not what the text looks like.
std::optional<RankCoordinates> grid_of(const std::string& text) {
  std::vector<std::uint32_t> extents;
  std::uint64_t ranks = 1;
  for (const std::string_view part : split(text, 'x')) {
    const auto extent = parse_unsigned(part);
    if (!extent) return std::nullopt;
    ranks = *extent == 0 || *extent > max_index_count ? max_index_count + 1 : ranks * *extent;
    if (ranks > max_index_count) {
      throw bad_input("--coordinates", "extents from 1 on, of at most 2^32 - 1 ranks in all",
                      in_quotes(text));
    }
    extents.push_back(static_cast<std::uint32_t>(*extent));
  }
  return RankCoordinates::grid(extents);
}

bool is_given(const MapperInputs& inputs, ExtraInput input) {
  switch (input) {
    case ExtraInput::loads:
      return inputs.loads.has_value();
    case ExtraInput::coordinates:
      return inputs.coordinates.has_value();
    case ExtraInput::sparse_factor:
      return inputs.sparse_factor.has_value();
  }
  return false;
}

/// "geom, gsearch": those that go by the input.
std::string users_of(ExtraInput input) {
  std::string names;
  for (const Mapper* const mapper : mappers()) {
    if (!mapper->uses(input)) continue;
    names.append(names.empty() ? "" : ", ").append(mapper->name());
  }
  return names;
}

}  // namespace

void add_mapper_options(CLI::App& app, MapperInputs& inputs) {
  app.add_option("--threads", inputs.threads, "Threads; the answer is the same for any number")
      ->type_name("N");
  app.add_option("--loads", inputs.loads,
                 "How much each rank computes, a whole number per line (default: the trace's CPU "
                 "time outside MPI)")
      ->type_name("FILE");
  app.add_option("--coordinates", inputs.coordinates,
                 "Where each rank's work lies, for geometric algorithms: a file with a point per "
                 "line, or the extents of a grid, 16x16x8 (default: what the trace knows, or what "
                 "the traffic tells)")
      ->type_name("FILE|EXTENTS");
  app.add_option("--sparse-factor", inputs.sparse_factor,
                 "Where Scotch gets dense traffic, keep pairs heavier than this share of the "
                 "heaviest")
      ->type_name("F");
  app.add_option("--set", inputs.settings,
                 "A setting of the algorithm, see kith algorithms; may be given again")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  put_in_group(app, input_group, {"--loads", "--coordinates"});
  put_in_group(app, search_group, {"--threads", "--sparse-factor", "--set"});
}

void parse_mapper_inputs(const MapperInputs& inputs, MapOptions& options) {
  constexpr std::uint64_t most_threads = 1U << 20;
  options.threads =
      static_cast<unsigned>(parse_number(inputs.threads, "--threads", 1, most_threads));
  if (inputs.sparse_factor) {
    options.sparse_factor = parse_real(*inputs.sparse_factor);
    if (!options.sparse_factor || *options.sparse_factor < 0 || *options.sparse_factor > 1) {
      throw bad_input("--sparse-factor", "a number from 0 to 1", in_quotes(*inputs.sparse_factor));
    }
  }
  for (const std::string& text : inputs.settings) options.settings.push_back(parse_setting(text));
}

void check_inputs_are_used(const MapperInputs& inputs, std::span<const Algorithm> algorithms) {
  for (const ExtraInput input : extra_inputs) {
    const auto uses_it = [&](const Algorithm& one) { return one.mapper->uses(input); };
    if (!is_given(inputs, input) || std::ranges::any_of(algorithms, uses_it)) continue;
    std::string asked;
    for (const Algorithm& one : algorithms) {
      asked.append(asked.empty() ? "" : ", ").append(one.name());
    }
    const std::string name(to_string(input));
    throw bad_input("--" + name, "an algorithm that goes by it: " + users_of(input),
                    in_quotes(asked));
  }
}

void read_rank_facts(const MapperInputs& inputs, const Trace& trace, MapOptions& options) {
  options.loads = inputs.loads ? read_loads(*inputs.loads) : loads_of(trace);
  if (!inputs.coordinates) {
    options.coordinates = coordinates_of(trace);
    return;
  }
  options.coordinates = grid_of(*inputs.coordinates);
  if (!options.coordinates) options.coordinates = read_coordinates(*inputs.coordinates);
}

MapOptions with_own_settings(MapOptions options, const Mapper& mapper) {
  std::erase_if(options.settings, [&](const SettingValue& setting) {
    const auto known = mapper.settings();
    return std::ranges::find(known, setting.name, &MapperSetting::name) == known.end();
  });
  return options;
}

}  // namespace kith::tools
