// A launcher's options, word by word, up to the program that it starts; and a program of ours
// behind them.
#include "launch/launcher.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/batch_job.hpp"
#include "core/line_reader.hpp"
#include "kith/error.hpp"

namespace kith::tools {
namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-';
}

std::string_view without_dashes(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word;
}

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

OptionTable::OptionTable(std::string_view without_value, std::string_view with_value,
                         std::string_view with_two_values, ShortOptions short_options)
    : short_options_(short_options) {
  std::size_t count = 0;
  for (const std::string_view names : {without_value, with_value, with_two_values}) {
    kith::Words list(names);
    for (auto name = list.next(); !name.empty(); name = list.next()) {
      values_.emplace(name, count);
    }
    ++count;
  }
}

std::size_t OptionTable::values(const Words& command, std::size_t index, std::size_t end) const {
  const std::size_t left = end - index - 1;
  const std::string_view name = without_dashes(command[index]);
  if (const auto known = values_.find(name); known != values_.end()) {
    // Hydra's -genv NAME=VALUE is one word, -genv NAME VALUE are two.
    const bool joined =
        known->second == 2 && left > 0 && command[index + 1].find('=') != std::string::npos;
    return joined ? 1 : std::min(known->second, left);
  }
  const bool one_dash = !command[index].starts_with("--");
  if (short_options_ == ShortOptions::attached && one_dash && name.size() > 1) return 0;
  if (left == 0 || name.find('=') != std::string_view::npos) return 0;
  const std::string& next = command[index + 1];
  return is_option(next) || find_program(next) ? 0 : 1;
}

bool stays_on_this_host(const Words& command, const Launcher& launcher) {
  constexpr std::array<std::string_view, 14> of_hosts{
      "H",          "host",        "hosts",    "hostfile", "default-hostfile", "f",   "machine",
      "configfile", "machinefile", "add-host", "launcher", "add-hostfile",     "app", "dvm-uri"};
  constexpr std::array<const char*, 4> variables{"HYDRA_HOST_FILE", "I_MPI_HYDRA_HOST_FILE",
                                                 "OMPI_MCA_orte_default_hostfile",
                                                 "PRTE_MCA_prte_default_hostfile"};
  const bool is_local_kind =
      launcher.kind == LauncherKind::open_mpi || launcher.kind == LauncherKind::hydra;
  if (!is_local_kind || !batch_job_id().empty()) return false;
  if (std::ranges::any_of(variables,
                          [](const char* name) { return std::getenv(name) != nullptr; })) {
    return false;
  }
  return std::none_of(command.begin(), command.end(), [&](const std::string& word) {
    return is_option(word) && std::ranges::find(of_hosts, without_dashes(word)) != of_hosts.end();
  });
}

const OptionTable& options_of_kind(LauncherKind kind) {
  switch (kind) {
    case LauncherKind::open_mpi:
      return open_mpi_options();
    case LauncherKind::hydra:
      return hydra_options();
    case LauncherKind::by_environment:
      return options_by_environment();
    case LauncherKind::srun:
      break;
  }
  return srun_options();
}

std::vector<Context> split_contexts(const Words& command, std::size_t launcher,
                                    const OptionTable& table) {
  std::vector<Context> contexts;
  std::size_t begin = launcher + 1;
  while (true) {
    const auto mark =
        std::find(command.begin() + static_cast<std::ptrdiff_t>(begin), command.end(), ":");
    const auto end = static_cast<std::size_t>(mark - command.begin());
    std::size_t at = begin;
    while (at < end && is_option(command[at])) at += 1 + table.values(command, at, end);
    contexts.push_back({begin, at, end});
    if (mark == command.end()) return contexts;
    begin = end + 1;
  }
}

std::vector<OptionWords> options_of(const Words& command, const Context& context,
                                    const OptionTable& table) {
  std::vector<OptionWords> options;
  for (std::size_t at = context.begin; at < context.program;) {
    const std::size_t words = 1 + table.values(command, at, context.end);
    options.push_back({without_dashes(command[at]), std::span(command).subspan(at, words)});
    at += words;
  }
  return options;
}

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
