// A subcommand of the program `kith`.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace kith::tools {

struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line
  /// Adds the options to `app`; what it returns does the work once they are parsed.
  std::function<void()> (*set_up)(CLI::App& app);
  bool hidden = false;  ///< not in `kith --help`
  /// What stands behind "--", for the help: somebody else's command line. set_up leaves it alone
  /// and the work finds it in trailing_words(). Empty: nothing.
  std::string_view trailing_words = {};
};

/// Thrown by a subcommand whose work another program had to do and did not: `kith` tells the
/// message and ends with that program's status.
struct ProgramFailed {
  int status;
  std::string message;
};

/// In the order of `kith --help`.
std::span<const Command> commands();

// One per file of the same name.
std::function<void()> set_up_algorithms(CLI::App& app);
std::function<void()> set_up_allocate(CLI::App& app);
std::function<void()> set_up_complete(CLI::App& app);
std::function<void()> set_up_completion(CLI::App& app);
std::function<void()> set_up_compare(CLI::App& app);
std::function<void()> set_up_convert(CLI::App& app);
std::function<void()> set_up_eval(CLI::App& app);
std::function<void()> set_up_gen(CLI::App& app);
std::function<void()> set_up_info(CLI::App& app);
std::function<void()> set_up_man(CLI::App& app);
std::function<void()> set_up_map(CLI::App& app);
std::function<void()> set_up_probe(CLI::App& app);
std::function<void()> set_up_profiles(CLI::App& app);
std::function<void()> set_up_report(CLI::App& app);
std::function<void()> set_up_run(CLI::App& app);
std::function<void()> set_up_study(CLI::App& app);
std::function<void()> set_up_topo(CLI::App& app);

}  // namespace kith::tools
