#include "help/help_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wrapped.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t help_width = 98;
constexpr std::size_t column = 26;  // where explanations stand

std::string entry(const std::string& heading, const std::string& explanation) {
  std::string text = "  " + heading;
  if (text.size() + 2 <= column) {
    text.resize(column, ' ');
  } else {
    text += '\n' + std::string(column, ' ');
  }
  return text + wrapped(explanation, help_width, column) + '\n';
}

std::string entries(const std::vector<OptionDescription>& options) {
  std::string text;
  for (const OptionDescription& option : options) {
    text += entry(heading_of(option), explanation_of(option));
  }
  return text;
}

}  // namespace

std::string heading_of(const OptionDescription& option) {
  std::string text = fmt::format("{}", fmt::join(option.names, ", "));
  const bool is_argument = !option.names.front().starts_with('-');
  if (is_argument) return text + (option.is_repeatable ? "..." : "");
  return option.value.empty() ? text : text + ' ' + option.value;
}

std::string explanation_of(const OptionDescription& option) {
  std::vector<std::string> remarks;
  const bool is_option = option.names.front().starts_with('-');
  if (is_option && option.is_required) remarks.emplace_back("required");
  if (!option.needs.empty())
    remarks.push_back(fmt::format("with {}", fmt::join(option.needs, ", ")));
  if (!option.excludes.empty()) {
    remarks.push_back(fmt::format("not with {}", fmt::join(option.excludes, ", ")));
  }
  if (remarks.empty()) return option.text;
  return fmt::format("{} ({})", option.text, fmt::join(remarks, "; "));
}

std::string help_text(const CommandDescription& command) {
  std::string text = wrapped(command.purpose, help_width, 0) + "\n\nUsage: " + command.usage() + "\n";
  if (!command.arguments.empty()) text += "\nArguments:\n" + entries(command.arguments);
  for (const OptionGroup& group : command.groups) {
    text += fmt::format("\n{}:\n{}", group.name, entries(group.options));
  }
  if (!command.notes.empty()) text += '\n';
  for (const std::string& note : command.notes) text += wrapped(note, help_width, 0) + '\n';
  if (!command.examples.empty()) text += "\nExamples:\n";
  for (const std::string& example : command.examples) text += "  " + example + '\n';
  return text;
}

std::vector<std::string> overview_examples() {
  return {"kith run --trace app -- mpirun -n 16 ./app     # who talks to whom, in app.kith",
          "kith info app.kith                             # what is in it, with a picture",
          "kith map app.kith -o app.map                   # a better place for each rank",
          "kith run --reorder app.map -- mpirun -n 16 ./app"};
}

std::string overview_text() {
  std::string text =
      "Kith: ranks that talk to each other live near each other.\n\n"
      "Usage: kith SUBCOMMAND [OPTIONS]\n\nSubcommands:\n";
  for (const Command& command : commands()) {
    if (command.is_listed()) text += fmt::format("  {:<11} {}\n", command.name, command.summary);
  }
  text +=
      "\nOptions:\n"
      "  -h, --help   Print this, or with a subcommand its own help\n"
      "  --version    Print the version\n\nExamples:\n";
  for (const std::string& example : overview_examples()) text += "  " + example + '\n';
  return text +
         "\nExit status: 0 done, 2 wrong input, 3 the environment lacks something, 1 a bug of "
         "Kith.\n";
}

}  // namespace kith::tools
