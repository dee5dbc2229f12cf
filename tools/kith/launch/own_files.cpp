// Where libkith.so and kith-probe are: beside this program, in the build tree as well as installed.
#include <filesystem>
#include <set>
#include <system_error>
#include <vector>

#include "kith/error.hpp"
#include "launch/launcher.hpp"

namespace kith::tools {
namespace {

namespace fs = std::filesystem;

fs::path own_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) throw environment_error("/proc/self/exe cannot be read: " + error.message());
  return program.parent_path();
}

/// The first of these places that holds `file`. Throws Error (environment) with `missing` and where
/// it was looked for.
std::string find_in(const std::vector<fs::path>& places, const std::string& file,
                    const std::string& missing) {
  std::string looked_for;
  std::set<fs::path> seen;
  for (const fs::path& place : places) {
    const fs::path candidate = (place / file).lexically_normal();
    std::error_code ignored;
    if (!seen.insert(candidate).second) continue;
    if (fs::is_regular_file(candidate, ignored)) return candidate.string();
    looked_for += (looked_for.empty() ? "" : ", ") + candidate.string();
  }
  throw environment_error(missing + "; looked for " + looked_for);
}

}  // namespace

std::string find_library() {
  const fs::path folder = own_folder();
  const fs::path configured = KITH_INSTALL_LIBDIR;  // absolute where the builder chose so
  const std::string path = find_in({folder / ".." / "lib", folder / ".." / configured, folder},
                                   "libkith.so", "libkith.so is not installed");
  if (path.find_first_of(": ") == std::string::npos) return path;
  throw environment_error(
      "LD_PRELOAD cannot name " + path +
      ": a blank or a colon separates its items; move Kith to a folder whose path "
      "has neither");
}

std::string find_probe_program() {
  const fs::path folder = own_folder();
  const fs::path configured = KITH_INSTALL_LIBEXECDIR;
  return find_in({folder / ".." / "libexec" / "kith", folder / ".." / configured / "kith", folder},
                 "kith-probe",
                 "kith-probe, which measures, is not installed (was Kith built without an MPI "
                 "library?)");
}

}  // namespace kith::tools
