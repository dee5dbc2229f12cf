// What --help prints.
#pragma once

#include <string>
#include <vector>

#include "help/command_description.hpp"

namespace kith::tools {

/// `kith --help`: all subcommands.
std::string overview_text();

/// Of Kith as a whole.
std::vector<std::string> overview_examples();

/// `kith SUBCOMMAND --help`, in lines of at most 98 columns except for examples.
std::string help_text(const CommandDescription& command);

/// "fast|balanced|best" behind the names, as an option is written: "-o, --output FILE".
std::string heading_of(const OptionDescription& option);

/// The text with what it needs and excludes.
std::string explanation_of(const OptionDescription& option);

}  // namespace kith::tools
