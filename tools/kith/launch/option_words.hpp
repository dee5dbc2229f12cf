// A launcher's options, word by word, up to the program that it starts.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "launch/launcher.hpp"

namespace kith::tools {

/// One program of a command `LAUNCHER options program args : options program args`.
struct Context {
  std::size_t begin;    ///< first word of its options
  std::size_t program;  ///< the program's word; == end where there is none
  std::size_t end;      ///< its ":" or the end of the command
};

/// Whether "-n4" is the option -n with its value, as in srun, or an option of its own.
enum class ShortOptions { separate, attached };

/// How many values follow an option: "--mca" 2, "-n" 1. An option that is missing here and not
/// given as NAME=VALUE has one value if a word follows that is neither an option nor a program.
class OptionTable {
 public:
  /// Names without dashes, blanks between them.
  OptionTable(std::string_view without_value, std::string_view with_value,
              std::string_view with_two_values, ShortOptions short_options);

  /// Values of command[index], an option.
  std::size_t values(const Words& command, std::size_t index, std::size_t end) const;

 private:
  std::map<std::string, std::size_t, std::less<>> values_;
  ShortOptions short_options_;
};

/// The options of each kind of launcher, X.cpp each.
const OptionTable& open_mpi_options();
const OptionTable& hydra_options();
const OptionTable& srun_options();
const OptionTable& options_of_kind(LauncherKind kind);

/// The contexts of a command, from the launcher's word on. Every word ":" separates.
std::vector<Context> split_contexts(const Words& command, std::size_t launcher,
                                    const OptionTable& table);

/// An option with its values as it stands in a command.
struct OptionWords {
  std::string_view name;  ///< without dashes
  std::span<const std::string> words;
};

/// The options of a context in order.
std::vector<OptionWords> options_of(const Words& command, const Context& context,
                                    const OptionTable& table);

}  // namespace kith::tools
