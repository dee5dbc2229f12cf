// What is to be minimised, as the command line says it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kith/goal.hpp"
#include "kith/mapper.hpp"

namespace CLI {
class App;
}

namespace kith::tools {

/// Adds --objective. `word` must outlive `app`.
void add_objective_option(CLI::App& app, std::optional<std::string>& word);

/// "hop-bytes", or a mix: "hop-bytes:1,link-load:0.5". Throws Error (input) that suggests the
/// nearest name.
Goal parse_goal(std::string_view text);

/// As asked, or else the default for the machine. Throws Error (input) where the machine does not
/// tell what was asked.
Goal chosen_goal(const std::optional<Goal>& asked, const Machine& machine);

/// Sets what mappers go by and what is to be minimised.
void set_goal(MapOptions& options, const Goal& goal);

}  // namespace kith::tools
