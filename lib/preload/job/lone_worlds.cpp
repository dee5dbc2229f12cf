#include "job/lone_worlds.hpp"

#include <cstdlib>
#include <optional>

#include "core/launcher.hpp"
#include "core/parse_number.hpp"
#include "mpi/library.hpp"

namespace kith::preload {
namespace {

std::optional<int> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const auto number = parse_unsigned(text);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

}  // namespace

LoneWorlds find_lone_worlds(int size) {
  LoneWorlds found;
  if (size != 1) return found;
  for (const LauncherVariables& names : launcher_variables) {
    if (names.size == nullptr) continue;
    const int started = number_in(names.size).value_or(0);
    // Launchers within one another leave their variables to the innermost one's processes.
    if (started == 1) return {};
    if (started == 0 || found.worlds > 0) continue;
    found.worlds = started;
    found.is_speaker = number_in(names.rank).value_or(0) == 0;
  }
  if (found.worlds == 0) return found;
  const std::string library = mpi::library_found();
  found.reason = "this program's MPI library (" + library +
                 ") and its launcher do not fit together: the " + std::to_string(found.worlds) +
                 " processes are as many worlds of one rank each. " +
                 "Start the program with the mpirun or mpiexec of " + library;
  return found;
}

}  // namespace kith::preload
