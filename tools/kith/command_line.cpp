#include "command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <optional>

#include "core/did_you_mean.hpp"
#include "help/command_help.hpp"
#include "kith/error.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

// A new subcommand is a file with its set_up function, declared in command.hpp, and one line here.
constexpr std::array table{
    Command{"run", "Run an MPI program traced, or in a better order", set_up_run,
            Listing::everywhere, "LAUNCHER ... PROGRAM ..."},
    Command{"map", "Compute which rank goes on which slot", set_up_map},
    Command{"eval", "Every metric of a mapping", set_up_eval},
    Command{"compare", "Compare algorithms on one trace and machine", set_up_compare},
    Command{"info", "What a trace contains", set_up_info},
    Command{"report", "A page that shows where the traffic is and what an order makes of it",
            set_up_report},
    Command{"topo", "Describe a machine", set_up_topo},
    Command{"allocate", "The nodes that a job would get on a busy machine", set_up_allocate},
    Command{"gen", "Generate a synthetic communication pattern", set_up_gen},
    Command{"convert", "Convert matrices and timelines for other programs", set_up_convert},
    Command{"predict", "Seconds of a recorded job under other orders and on other machines",
            set_up_predict},
    Command{"probe", "Measure the network of a launch and infer its levels", set_up_probe,
            Listing::everywhere, "LAUNCHER ..."},
    Command{"profiles", "What KITH_REORDER=auto keeps of earlier runs", set_up_profiles},
    Command{"algorithms", "List the mapping algorithms", set_up_algorithms},
    Command{"completion", "Print what makes a shell complete kith's words", set_up_completion},
    Command{"man", "Print a manual page", set_up_man},
    Command{"study", "Work out again what the papers on mapping report", set_up_study,
            Listing::own_pages},
    Command{"complete", "Answer a shell that completes kith's words", set_up_complete,
            Listing::nowhere, "WORDS"},
};

std::optional<std::vector<std::string>> trailing;

const Command* find_command(std::string_view name) {
  const auto all = commands();
  const auto found = std::ranges::find(all, name, &Command::name);
  return found == all.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_command(const std::string& word) {
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    if (command.has_pages()) known.emplace_back(command.name);
  }
  if (word.starts_with('-')) known = {"--help", "--version"};
  throw bad_input("subcommand",
                  "one of Kith's subcommands" + did_you_mean(word, known) + " (see kith --help)",
                  "'" + word + "'");
}

/// Names as the user writes them: "--seed", "-o".
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// `kith run mpirun ...` lacks the "--" before somebody else's command.
void check_mark(const CLI::App& app, const Command& command) {
  const auto left = app.remaining();
  if (command.trailing_words.empty() || trailing || left.empty() || left[0].starts_with('-'))
    return;
  throw bad_input(
      app.get_name(),
      fmt::format("-- before the launcher: {} [OPTIONS] -- {} ...", app.get_name(), left[0]),
      fmt::format("'{}' without it", left[0]));
}

/// What somebody who writes one word too many may have meant: " (...)", or nothing.
std::string hint_for(const CLI::App& app, const std::string& word) {
  const auto has = [&](const char* name) { return app.get_option_no_throw(name) != nullptr; };
  if (has("--mapping") && word.ends_with(".map")) return " (--mapping " + word + "?)";
  if (has("--json") && app.count("--json") > 0) {
    return " (--json prints to standard output: --json > " + word + ")";
  }
  return "";
}

/// The first word that no option took is an option unknown to us, or one word too many.
void check_nothing_is_left(const CLI::App& app) {
  auto left = app.remaining();
  std::erase(left, "--");  // what CLI11 keeps of "options end here"
  if (left.empty()) return;
  const auto option =
      std::ranges::find_if(left, [](const std::string& word) { return word.starts_with('-'); });
  const std::string& word = option == left.end() ? left.front() : *option;
  const std::string name = word.substr(0, word.find('='));
  if (option == left.end()) {
    throw bad_input(app.get_name(), "no further word" + hint_for(app, word), "'" + word + "'");
  }
  throw bad_input(name,
                  "an option of " + app.get_name() + did_you_mean(name, option_names(app)) +
                      " (see " + app.get_name() + " --help)",
                  "'" + word + "'");
}

/// CLI11 says "--seed: 1 required N missing"; we say it as all our messages do.
Error in_our_words(const CLI::App& app, const CLI::ParseError& error) {
  const std::string_view message = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string name(message.substr(0, message.find(':')));
    if (message.ends_with("missing")) {
      return bad_input(name, "a value (one that begins with '-' is written " + name + "=VALUE)",
                       "none");
    }
    if (message.find("Most") != std::string_view::npos) {
      return bad_input(name, "this option once", "it several times");
    }
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string name(message.substr(0, message.find(' ')));
    const CLI::Option* const option = app.get_option_no_throw(name);
    const std::string word = option != nullptr ? option->get_name(true) : "";
    return bad_input(app.get_name(),
                     fmt::format("{} (see {} --help)", word.empty() ? name : word, app.get_name()),
                     "none");
  }
  constexpr std::string_view unconverted = "Could not convert: ";
  if (message.starts_with(unconverted)) {  // only flags are converted
    const std::string_view setting = message.substr(unconverted.size());
    const auto equals = std::min(setting.find(" = "), setting.size());
    return bad_input(setting.substr(0, equals), "no value",
                     fmt::format("'{}'", setting.substr(std::min(equals + 3, setting.size()))));
  }
  if (const auto middle = message.find(" excludes "); middle != std::string_view::npos) {
    return bad_input(message.substr(0, middle),
                     fmt::format("this option or {}", message.substr(middle + 10)), "both");
  }
  return {ErrorKind::input, fmt::format("{}: {}", app.get_name(), message)};
}

void run_subcommand(const Command& command, std::vector<std::string> words) {
  if (!command.trailing_words.empty()) {
    const auto mark = std::ranges::find(words, "--");
    if (mark != words.end()) {
      trailing.emplace(mark + 1, words.end());
      words.erase(mark, words.end());
    }
  }
  CLI::App app{std::string(command.summary) + ".", "kith " + std::string(command.name)};
  app.allow_extras();
  app.set_help_flag("-h,--help", "Print this help");
  const auto work = command.set_up(app);
  try {
    std::ranges::reverse(words);  // CLI11 wants them so
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    print(help_text(describe(command, app)));
    return;
  } catch (const Error&) {  // by a value that an option does not take
    if (app.get_help_ptr()->count() > 0) return print(help_text(describe(command, app)));
    check_mark(app, command);
    check_nothing_is_left(app);
    throw;
  } catch (const CLI::ParseError& error) {
    check_mark(app, command);
    check_nothing_is_left(app);  // a misspelt option explains more than what follows from it
    throw in_our_words(app, error);
  }
  check_mark(app, command);
  check_nothing_is_left(app);
  work();
}

}  // namespace

std::span<const Command> commands() {
  return table;
}

std::span<const std::string> trailing_words() {
  if (!trailing) return {};
  return *trailing;
}

bool has_trailing_words() {
  return trailing.has_value();
}

void run_command_line(std::vector<std::string> words) {
  if (words.empty()) throw bad_input("subcommand", "one (see kith --help)", "none");
  if (words.front() == "help") {
    // "kith help map" is what some type for "kith map --help".
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (words.front() == "--help" || words.front() == "-h") return print(overview_text());
  if (words.front() == "--version" || words.front() == "-V")
    return print("kith " KITH_VERSION "\n" KITH_MPI_SENTENCE "\n");
  const Command* const command = find_command(words.front());
  if (command == nullptr) refuse_command(words.front());
  words.erase(words.begin());
  run_subcommand(*command, std::move(words));
}

}  // namespace kith::tools
