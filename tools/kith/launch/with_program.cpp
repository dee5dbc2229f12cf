// A program of ours behind a launcher's options.
#include <algorithm>
#include <array>

#include "kith/error.hpp"
#include "launch/option_words.hpp"

namespace kith::tools {
namespace {

/// Options that take the programs from a file.
void refuse_program_files(const Words& command, const Context& context, const OptionTable& table,
                          std::string_view who) {
  static constexpr std::array names{"app", "configfile", "multi-prog"};
  for (const OptionWords& option : options_of(command, context, table)) {
    if (std::ranges::find(names, option.name) == names.end()) continue;
    throw bad_input(who, "no option that names a program: kith brings its own", option.words[0]);
  }
}

}  // namespace

Words with_program(const Words& command, const Launcher& launcher, const Words& program,
                   std::string_view who) {
  const OptionTable& table = options_of_kind(launcher.kind);
  Words words(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(launcher.index) + 1);
  for (const Context& context : split_contexts(command, launcher.index, table)) {
    if (context.program != context.end) {
      throw bad_input(who, "the launcher's options only (kith brings its own program)",
                      "'" + command[context.program] + "' behind them");
    }
    refuse_program_files(command, context, table, who);
    words.insert(words.end(), command.begin() + static_cast<std::ptrdiff_t>(context.begin),
                 command.begin() + static_cast<std::ptrdiff_t>(context.end));
    words.insert(words.end(), program.begin(), program.end());
    if (context.end < command.size()) words.emplace_back(":");
  }
  return words;
}

}  // namespace kith::tools
