// The subcommands of the program `kith`, and the way from the words of the command line to one.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace kith::tools {

/// Where a subcommand is named: in `kith --help`, kith(1) and completion, or only in its own help
/// and manual page, or nowhere, since only programs use it.
enum class Listing { everywhere, own_pages, nowhere };

struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line
  /// Adds the options to `app`; what it returns does the work once they are parsed.
  std::function<void()> (*set_up)(CLI::App& app);
  Listing listing = Listing::everywhere;
  /// What stands behind "--", for the help: somebody else's command line. set_up leaves it alone
  /// and the work finds it in trailing_words(). Empty: nothing.
  std::string_view trailing_words = {};

  bool is_listed() const { return listing == Listing::everywhere; }
  bool has_pages() const { return listing != Listing::nowhere; }
};

/// Thrown by a subcommand whose work another program had to do and did not: `kith` tells the
/// message and ends with that program's status.
struct ProgramFailed {
  int status;
  std::string message;
};

/// Parses `words` (without the program's name) and runs the subcommand, or prints help or version.
/// Throws Error (input) for what it does not understand, and whatever the subcommand throws.
void run_command_line(std::vector<std::string> words);

/// What stood behind "--" for a subcommand that takes such words; nothing when there was no "--".
std::span<const std::string> trailing_words();
/// Whether there was a "--" at all.
bool has_trailing_words();

/// In the order of `kith --help`.
std::span<const Command> commands();

// One per file of the same name, here or in a folder (map/, help/, ...).
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
std::function<void()> set_up_predict(CLI::App& app);
std::function<void()> set_up_probe(CLI::App& app);
std::function<void()> set_up_profiles(CLI::App& app);
std::function<void()> set_up_report(CLI::App& app);
std::function<void()> set_up_run(CLI::App& app);
std::function<void()> set_up_study(CLI::App& app);
std::function<void()> set_up_topo(CLI::App& app);

}  // namespace kith::tools
