// What a subcommand is for and what it takes, read off the options as CLI11 got them: the one
// source of its help, its manual page and its completion. And what --help prints.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace kith::tools {

/// An option, or an argument that goes by its place.
struct OptionDescription {
  std::vector<std::string> names;  ///< "-o", "--output"; of an argument its one name, "TRACE"
  /// What it takes: literal words in lower case and names in upper case, "|" between them
  /// ("fast|balanced|best", "FILE|auto"); empty: nothing, a flag.
  std::string value;
  bool is_required = false;
  bool is_repeatable = false;
  std::vector<std::string> needs;     ///< options that it has no meaning without
  std::vector<std::string> excludes;  ///< options that it cannot stand beside
  std::string text;

  bool is_called(std::string_view name) const;
};

struct OptionGroup {
  std::string name;
  std::vector<OptionDescription> options;
};

struct CommandDescription {
  std::string name;            ///< "map"
  std::string summary;         ///< one line without a full stop
  std::string purpose;         ///< sentences
  std::string trailing_words;  ///< as Command's
  std::vector<OptionDescription> arguments;
  std::vector<OptionGroup> groups;
  std::vector<std::string> notes;     ///< lines of prose
  std::vector<std::string> examples;  ///< command lines, a comment behind "#" or not

  /// "kith map [OPTIONS] TRACE"
  std::string usage() const;
  /// Null where the subcommand has no option of this name.
  const OptionDescription* find_option(std::string_view name) const;
};

/// Of a subcommand that was set up for `app`: its description, its options and its footer, which is
/// notes, then "Examples:" or "Example:" on a line and the examples, two blanks before each.
CommandDescription describe(const Command& command, const CLI::App& app);
/// Sets it up for that.
CommandDescription describe(const Command& command);

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
