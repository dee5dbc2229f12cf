// From the words of the command line to a subcommand with its options set.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace kith::tools {

/// Parses `words` (without the program's name) and runs the subcommand, or prints help or version.
/// Throws Error (input) for what it does not understand, and whatever the subcommand throws.
void run_command_line(std::vector<std::string> words);

/// What stood behind "--" for a subcommand that takes such words; nothing when there was no "--".
std::span<const std::string> trailing_words();
/// Whether there was a "--" at all.
bool has_trailing_words();

}  // namespace kith::tools
