// Where libkith.so is: beside this program, in the build tree as well as installed.
#include <filesystem>
#include <set>
#include <system_error>

#include "kith/error.hpp"
#include "launch/launcher.hpp"

namespace kith::tools {

std::string find_library() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) throw environment_error("/proc/self/exe cannot be read: " + error.message());
  const fs::path folder = program.parent_path();
  std::string looked_for;
  std::set<fs::path> seen;
  const fs::path configured = KITH_INSTALL_LIBDIR;  // absolute where the builder chose so
  for (const fs::path& place : {folder / ".." / "lib", folder / ".." / configured, folder}) {
    const fs::path candidate = (place / "libkith.so").lexically_normal();
    if (!seen.insert(candidate).second) continue;
    if (fs::is_regular_file(candidate, error)) {
      const std::string path = candidate.string();
      if (path.find_first_of(": ") == std::string::npos) return path;
      throw environment_error("LD_PRELOAD cannot name " + path +
                              ": a blank or a colon separates its items");
    }
    looked_for += (looked_for.empty() ? "" : ", ") + candidate.string();
  }
  throw environment_error("libkith.so is not installed; looked for " + looked_for);
}

}  // namespace kith::tools
