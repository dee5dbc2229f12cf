// The launcher in a command line: where it is, which kind, which options it has, how it hands
// variables to the ranks, and how it is checked.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kith::tools {

using Words = std::vector<std::string>;

/// The last: what hands its environment to all ranks, or is taken to.
enum class LauncherKind { open_mpi, hydra, srun, by_environment };

/// The launcher's word of a command; words before it (time, env X=1, a wrapper) are kept as they
/// are.
struct Launcher {
  std::size_t index = 0;  ///< in the command
  std::string path;       ///< the program that the word means
  LauncherKind kind = LauncherKind::open_mpi;
  bool is_assumed = false;  ///< not known to hand on its environment
};

/// Whether all ranks will be on this host, as far as the command and the environment tell: not in a
/// batch job, nor where the launcher is told of hosts.
bool stays_on_this_host(const Words& command, const Launcher& launcher);

/// Whether a word is the name of a launcher.
bool has_launcher(const Words& command);

/// Finds the launcher and its kind: by the name of the program behind its word (orterun, prterun,
/// mpiexec.hydra), else it is asked (`LAUNCHER --version`). `who` ("kith run") names the
/// culprit. Throws Error: input where no word is a launcher, environment where it is not installed
/// or of an unknown kind.
Launcher find_launcher(const Words& command, std::string_view who);

/// A command of launcher options only, with a program put behind them (behind those of each part
/// that ":" separates). Throws Error (input) where there is a program already.
Words with_program(const Words& command, const Launcher& launcher, const Words& program,
                   std::string_view who);

/// Asks `program --version`.
std::optional<LauncherKind> kind_of_program(const std::string& program);

/// What `LAUNCHER --version` printed tells the kind; nothing for an unknown one.
std::optional<LauncherKind> kind_of_version(std::string_view version);

/// The variables that every rank shall have.
struct Exports {
  std::string library;                           ///< libkith.so: first in every rank's LD_PRELOAD
  std::optional<std::string> preload;            ///< LD_PRELOAD of our own environment
  std::map<std::string, std::string> ours;       ///< KITH_*, win over the command's own settings
  std::map<std::string, std::string> inherited;  ///< KITH_*, give way to the command's own settings
  /// Looks up a variable of our environment, for launchers' options that name one without a value.
  std::function<std::optional<std::string>(const std::string&)> environment;
};

/// A command ready to be executed: the words, and what to add to the launcher's own environment.
struct Launch {
  Words words;
  std::map<std::string, std::string> environment;
};

// One file per kind. `command[launcher]` is the launcher's word.
Launch add_exports_open_mpi(const Words& command, std::size_t launcher, const Exports& exports);
Launch add_exports_hydra(const Words& command, std::size_t launcher, const Exports& exports);
Launch add_exports_srun(const Words& command, std::size_t launcher, const Exports& exports);
Launch add_exports_by_environment(const Words& command, const Exports& exports);

/// A line that says what to do where a program of the command would be ended by AddressSanitizer
/// because we are preloaded; empty: none would. `asan_options`: ASAN_OPTIONS of our environment.
std::string sanitizer_warning(const Words& command, const Launcher& launcher,
                              const std::optional<std::string>& asan_options);

/// A program of the command that is linked statically, so that nothing can be preloaded; empty:
/// none.
std::string static_program(const Words& command, const Launcher& launcher);
/// Whether a program that is started without a launcher is linked statically.
bool is_static_program(const std::string& program);
/// Whether a file is machine code (ELF).
bool is_no_script(const std::string& path);

/// LD_PRELOAD with our library first and what `others` names behind it.
std::string preload_value(const std::string& library, const std::optional<std::string>& others);

/// The launcher that `asked` names, WORD or WORD:KIND (openmpi, hydra, slurm, environment); without
/// it find_launcher's, or else the first word, which is taken to hand its environment on.
/// Throws Error (input) where that cannot be executed.
Launcher any_launcher(const Words& command, const std::optional<std::string>& asked,
                      const Exports& exports);

/// What to do by hand where a launcher does not hand its environment on: the variables.
std::string by_hand(const Exports& exports);

/// libkith.so beside this program: of the build tree or the installed one. Throws Error
/// (environment) that says where it was looked for.
std::string find_library();

/// The same for the MPI program behind `kith probe`.
std::string find_probe_program();

/// The file that a command word means: itself where it has a '/', else the first in PATH. Nothing
/// when there is none that can be executed.
std::optional<std::string> find_program(const std::string& word);

/// One program of a command `LAUNCHER options program args : options program args`.
struct Context {
  std::size_t begin;    ///< first word of its options
  std::size_t program;  ///< the word that names the program; end if no word does
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
const OptionTable& options_by_environment();
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

/// Runs `launch`, whose ranks have KITH_CHECK=1, and prints what they report: who would be where,
/// who does not run under Kith, which order would be made. Ends the launcher where ranks without
/// Kith would go on. Throws ProgramFailed: status 3 when not all ranks run under Kith or an order
/// that was asked for cannot be made, the launcher's own status when it failed.
void run_checked(const Launch& launch, bool json);

// A launcher as a child of ours: its output comes here, signals go there.

/// How a child ended.
struct Ending {
  int status = 0;          ///< as a shell says it: 128 + N where signal N ended it
  bool timed_out = false;  ///< ended by us at the deadline
};

class Supervision {
 public:
  using Clock = std::chrono::steady_clock;

  /// Called with each line of the child's stdout, without its end.
  std::function<void(std::string_view line)> on_line;
  /// From here on the child is ended (SIGTERM, then SIGKILL); none: it may take as long as it
  /// likes. May be set while the child runs.
  std::optional<Clock::time_point> deadline;

  /// Runs `words` with its stdin empty and stderr ours, in `environment` ("NAME=VALUE"), until it
  /// has ended. SIGINT, SIGTERM and SIGHUP that reach this process meanwhile go to the child (but
  /// for those from the terminal, which it gets itself). Throws Error (environment) when it cannot
  /// be started; what on_line throws, after ending the child.
  Ending run(const Words& words, const Words& environment);
};

}  // namespace kith::tools
