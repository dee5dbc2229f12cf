// Launchers that hand their environment to all ranks: Flux, LSF, ALPS, a site's own, scripts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "core/did_you_mean.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "launch/launcher.hpp"

namespace kith::tools {
namespace {

struct KindName {
  std::string_view name;
  LauncherKind kind;
};
constexpr std::array kind_names{
    KindName{"openmpi", LauncherKind::open_mpi}, KindName{"hydra", LauncherKind::hydra},
    KindName{"slurm", LauncherKind::srun}, KindName{"environment", LauncherKind::by_environment}};

/// Their manuals say that ranks get the environment of the command.
bool hands_environment_on(const std::string& word) {
  static constexpr std::array names{"flux", "jsrun", "aprun", "ibrun"};
  const std::string base = word.substr(word.rfind('/') + 1);
  return std::ranges::find(names, base) != names.end();
}

std::size_t index_of(const Words& command, const std::string& word) {
  const auto found = std::ranges::find_if(command, [&](const std::string& one) {
    return one == word || one.substr(one.rfind('/') + 1) == word;
  });
  if (found == command.end()) {
    throw bad_input("--launcher", "a word of the command behind --", "'" + word + "'");
  }
  return static_cast<std::size_t>(found - command.begin());
}

Launcher by_environment(const Words& command, std::size_t index) {
  Launcher launcher{index, {}, LauncherKind::by_environment, false};
  const auto path = find_program(command[index]);
  if (!path) throw environment_error(command[index] + " cannot be found or executed");
  launcher.path = *path;
  return launcher;
}

/// `asked` is WORD or WORD:KIND.
Launcher named_launcher(const Words& command, const std::string& asked) {
  const auto colon = asked.rfind(':');
  const std::string word = asked.substr(0, colon);
  const std::size_t index = index_of(command, word);
  if (colon != std::string::npos) {
    const std::string kind = asked.substr(colon + 1);
    const auto named = std::ranges::find(kind_names, std::string_view(kind), &KindName::name);
    if (named == kind_names.end()) {
      throw bad_input("--launcher", "openmpi, hydra, slurm or environment behind the colon",
                      "'" + kind + "'");
    }
    Launcher launcher = by_environment(command, index);
    launcher.kind = named->kind;
    return launcher;
  }
  Launcher launcher = by_environment(command, index);
  if (hands_environment_on(word)) return launcher;
  const auto kind = kind_of_program(launcher.path);
  launcher.kind = kind.value_or(LauncherKind::by_environment);
  launcher.is_assumed = !kind;
  return launcher;
}

}  // namespace

Launcher any_launcher(const Words& command, const std::optional<std::string>& asked,
                      const Exports& exports) {
  if (asked) return named_launcher(command, *asked);
  if (has_launcher(command)) return find_launcher(command, "kith run");
  const auto known = std::ranges::find_if(command, [](const std::string& word) {
    return hands_environment_on(word) || word == "prun";
  });
  if (known != command.end()) return named_launcher(command, *known);
  if (!find_program(command.front())) {
    const std::vector<std::string> known_launchers{"mpirun", "mpiexec", "orterun", "prterun",
                                                   "srun"};
    std::error_code ignored;
    throw bad_input(
        "kith run",
        "a command with mpirun, mpiexec, orterun, prterun or srun behind --, or one of another "
        "launcher that can be executed (by hand, for each rank: " +
            by_hand(exports) + ")",
        "'" + command.front() + "'" +
            (std::filesystem::is_regular_file(command.front(), ignored)
                 ? ", which is not executable (chmod +x)"
             : command.front().find('/') != std::string::npos
                 ? ", where there is no program"
                 : did_you_mean(command.front(), known_launchers)));
  }
  Launcher launcher = by_environment(command, 0);
  launcher.is_assumed = true;
  return launcher;
}

const OptionTable& options_by_environment() {
  static const OptionTable table("", "", "", ShortOptions::separate);
  return table;
}

Launch add_exports_by_environment(const Words& command, const Exports& exports) {
  Launch launch{command, exports.ours};
  launch.environment["LD_PRELOAD"] = preload_value(exports.library, exports.preload);
  return launch;
}

std::string by_hand(const Exports& exports) {
  std::string text = "LD_PRELOAD=" + preload_value(exports.library, exports.preload);
  for (const auto& [name, value] : exports.ours) text += fmt::format(" {}={}", name, value);
  return text;
}

}  // namespace kith::tools
