#include "help/command_help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "core/parse_number.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

std::string longest_name(const CLI::Option& option) {
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  return "-" + option.get_snames().front();
}

std::vector<std::string> names_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : options) names.push_back(longest_name(*option));
  std::ranges::sort(names);  // the set is in the order of addresses
  return names;
}

OptionDescription describe(const CLI::Option& option) {
  OptionDescription found;
  for (const std::string& name : option.get_snames()) found.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) found.names.push_back("--" + name);
  if (option.get_positional()) found.names = {option.get_name(true)};
  if (option.get_items_expected_max() > 0) found.value = option.get_type_name();
  if (option.get_positional() && found.value.empty()) found.value = found.names.front();
  found.is_required = option.get_required();
  found.is_repeatable = option.get_expected_max() > 1;
  found.needs = names_of(option.get_needs());
  found.excludes = names_of(option.get_excludes());
  found.text = option.get_description();
  return found;
}

/// The footer's lines: prose, then examples.
void read_footer(const std::string& footer, CommandDescription& description) {
  bool in_examples = false;
  for (const std::string_view line : split(footer, '\n')) {
    if (line == "Examples:" || line == "Example:") {
      in_examples = true;
    } else if (in_examples) {
      description.examples.emplace_back(
          line.substr(std::min(line.find_first_not_of(' '), line.size())));
    } else if (!line.empty()) {
      description.notes.emplace_back(line);
    }
  }
}

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

bool OptionDescription::is_called(std::string_view name) const {
  return std::ranges::find(names, name) != names.end();
}

std::string CommandDescription::usage() const {
  std::string text = fmt::format("kith {} [OPTIONS]", name);
  if (!trailing_words.empty()) text += fmt::format(" -- {}", trailing_words);
  for (const OptionDescription& argument : arguments) {
    const std::string word = argument.names.front() + (argument.is_repeatable ? "..." : "");
    text += argument.is_required ? " " + word : fmt::format(" [{}]", word);
  }
  return text;
}

const OptionDescription* CommandDescription::find_option(std::string_view name_given) const {
  for (const OptionGroup& group : groups) {
    for (const OptionDescription& option : group.options) {
      if (option.is_called(name_given)) return &option;
    }
  }
  return nullptr;
}

CommandDescription describe(const Command& command, const CLI::App& app) {
  CommandDescription found;
  found.name = command.name;
  found.summary = command.summary;
  found.purpose = app.get_description();
  found.trailing_words = command.trailing_words;
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_positional()) {
      found.arguments.push_back(describe(*option));
      continue;
    }
    const std::string& group = option->get_group();
    const auto place = std::ranges::find(found.groups, group, &OptionGroup::name);
    if (place == found.groups.end()) {
      found.groups.push_back({group, {describe(*option)}});
    } else {
      place->options.push_back(describe(*option));
    }
  }
  // What is in no group comes last. (clang 14 cannot compile GCC 12's
  // std::ranges::stable_partition.)
  std::stable_partition(found.groups.begin(), found.groups.end(),
                        [](const OptionGroup& group) { return group.name != "Options"; });
  read_footer(app.get_footer(), found);
  return found;
}

CommandDescription describe(const Command& command) {
  CLI::App app{std::string(command.summary) + "."};
  app.set_help_flag("-h,--help", "Print this help");
  command.set_up(app);
  return describe(command, app);
}

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
  std::string text =
      wrapped(command.purpose, help_width, 0) + "\n\nUsage: " + command.usage() + "\n";
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
