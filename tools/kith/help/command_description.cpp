#include "help/command_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "core/parse_number.hpp"

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

}  // namespace kith::tools
