#include "launch/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <set>
#include <system_error>
#include <vector>

#include "core/parse_number.hpp"
#include "kith/error.hpp"

namespace kith::tools {
namespace {

constexpr std::chrono::seconds version_patience{20};
constexpr std::size_t version_bytes = 1 << 16;

/// "mpirun", and "mpirun.openmpi" or "mpiexec-mpich", but not a script "mpirun.sh".
bool is_launcher_name(const std::string& word) {
  static constexpr std::array names{"mpirun", "mpiexec", "orterun", "prterun", "srun"};
  static constexpr std::array scripts{".sh", ".bash", ".csh", ".zsh", ".py", ".pl", ".rb", ".lua"};
  const std::string base = word.substr(word.rfind('/') + 1);
  for (const std::string_view name : names) {
    if (base == name) return true;
    if (!base.starts_with(name) || (base[name.size()] != '.' && base[name.size()] != '-')) continue;
    return std::ranges::none_of(scripts, [&](const char* end) { return base.ends_with(end); });
  }
  return false;
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

/// Reads until the end, the deadline, or more than a version is long.
std::string read_some(int fd) {
  const auto deadline = std::chrono::steady_clock::now() + version_patience;
  std::string text;
  std::array<char, 4096> buffer;
  while (text.size() < version_bytes) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd waiting{fd, POLLIN, 0};
    if (left.count() <= 0) break;
    const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

/// What `program --version` prints, stdout and stderr; empty when it cannot be started.
std::string ask_version(const std::string& program) {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&actions) != 0 || posix_spawnattr_init(&attributes) != 0) {
    throw std::bad_alloc();
  }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), STDERR_FILENO);
  // A group of its own, so that a launcher that is a script goes with its children.
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::string name = program;
  std::string option = "--version";
  char* const words[] = {name.data(), option.data(), nullptr};
  pid_t child = -1;
  const int error = posix_spawn(&child, program.c_str(), &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  write_end.close();
  if (error != 0) return {};
  std::string text = read_some(read_end.get());
  ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return text;
}

bool contains(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return lower(a) == lower(b);
  };
  // clang 14 cannot compile GCC 12's std::ranges::search.
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

/// Names that leave no doubt, for launchers that do not tell their version.
std::optional<LauncherKind> kind_of_name(const std::string& word) {
  const std::string base = word.substr(word.rfind('/') + 1);
  if (base.starts_with("srun")) return LauncherKind::srun;
  if (base.starts_with("orterun") || base.starts_with("prterun") || contains(base, "openmpi")) {
    return LauncherKind::open_mpi;
  }
  if (contains(base, "hydra") || contains(base, "mpich")) return LauncherKind::hydra;
  return std::nullopt;
}

/// Programs of which no site makes a script of another kind: asking one for its version takes as
/// long as half of what else `kith run` does before the job starts.
std::optional<LauncherKind> kind_of_own_name(const std::string& path) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::canonical(path, error);
  if (error || !is_no_script(program.string())) return std::nullopt;
  const std::string name = program.filename().string();
  if (name == "orterun" || name == "prterun") return LauncherKind::open_mpi;
  if (name == "mpiexec.hydra") return LauncherKind::hydra;
  return std::nullopt;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

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

std::optional<std::string> find_program(const std::string& word) {
  const auto executable = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  };
  if (word.empty()) return std::nullopt;
  if (word.find('/') != std::string::npos) {
    return executable(word) ? std::optional(word) : std::nullopt;
  }
  const char* const path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    std::string candidate = folder.empty() ? "." : std::string(folder);
    candidate += "/" + word;
    if (executable(candidate)) return candidate;
  }
  return std::nullopt;
}

std::optional<LauncherKind> kind_of_version(std::string_view version) {
  if (contains(version, "open mpi") || contains(version, "openrte") ||
      contains(version, "open-mpi.org") || contains(version, "prrte") ||
      contains(version, "prterun") || contains(version, "spectrum mpi")) {
    return LauncherKind::open_mpi;
  }
  if (contains(version, "hydra") || contains(version, "intel(r) mpi") ||
      contains(version, "mpich") || contains(version, "mvapich")) {
    return LauncherKind::hydra;
  }
  if (version.starts_with("slurm ")) return LauncherKind::srun;
  return std::nullopt;
}

std::optional<LauncherKind> kind_of_program(const std::string& program) {
  return kind_of_version(ask_version(program));
}

bool has_launcher(const Words& command) {
  return std::ranges::any_of(command, is_launcher_name);
}

Launcher find_launcher(const Words& command, std::string_view who) {
  const auto word = std::ranges::find_if(command, is_launcher_name);
  if (word == command.end()) {
    throw bad_input(who, "a command with mpirun, mpiexec, orterun, prterun or srun behind --",
                    "'" + command.front() + "'");
  }
  Launcher launcher;
  launcher.index = static_cast<std::size_t>(word - command.begin());
  const auto path = find_program(*word);
  if (!path) throw environment_error("the launcher " + *word + " cannot be found or executed");
  launcher.path = *path;
  const auto by_name = kind_of_name(*word);
  if (by_name == LauncherKind::srun) {
    launcher.kind = LauncherKind::srun;
    return launcher;
  }
  if (const auto own = kind_of_own_name(launcher.path)) {
    launcher.kind = *own;
    return launcher;
  }
  const std::string version = ask_version(launcher.path);
  const auto kind = kind_of_version(version);
  if (!kind && !by_name) {
    throw environment_error(fmt::format(
        "{} is not a launcher that Kith knows (Open MPI, PRRTE, MPICH, Intel MPI, MVAPICH, Slurm): "
        "its --version says '{}'; --launcher {}:openmpi, :hydra, :slurm or :environment says how "
        "it "
        "hands variables to the ranks",
        *path, first_line(version), *word));
  }
  launcher.kind = kind ? *kind : *by_name;
  return launcher;
}

std::string preload_value(const std::string& library, const std::optional<std::string>& others) {
  std::string value = library;
  if (!others) return value;
  std::string_view rest = *others;
  while (!rest.empty()) {
    const auto end = std::min(rest.find_first_of(": "), rest.size());
    const std::string_view one = rest.substr(0, end);
    if (!one.empty() && one != library) value.append(":").append(one);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return value;
}

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
