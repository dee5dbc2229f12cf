// Headings of the help.
#pragma once

#include <initializer_list>

namespace CLI {
class App;
}

namespace kith::tools {

/// Headings that several subcommands have.
inline constexpr const char* input_group = "Input";
inline constexpr const char* search_group = "Search";
inline constexpr const char* places_group = "Places";
inline constexpr const char* output_group = "Output";

/// Lets the options, which `app` has, stand under `heading`. What is in no group comes last.
void put_in_group(CLI::App& app, const char* heading, std::initializer_list<const char*> options);

}  // namespace kith::tools
