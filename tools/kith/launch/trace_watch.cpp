#include "launch/trace_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <glob.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <map>
#include <string_view>
#include <thread>

#include "io/format/trace_name.hpp"
#include "io/format/trace_text.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

using std::chrono::milliseconds;

/// Another host may have written it: here it is seen a little later.
constexpr milliseconds patience_for_file{500};
constexpr milliseconds between_looks{50};

/// What there is under the names that a pattern stands for: other files after they were replaced.
using Found = std::map<std::string, ino_t>;

Found find_all(const std::string& pattern) {
  Found found;
  glob_t names{};
  if (::glob(pattern.c_str(), 0, nullptr, &names) == 0) {
    for (std::size_t i = 0; i < names.gl_pathc; ++i) {
      struct stat one {};
      if (::stat(names.gl_pathv[i], &one) == 0) found.emplace(names.gl_pathv[i], one.st_ino);
    }
  }
  ::globfree(&names);
  return found;
}

/// One that was not there before; empty: none is.
std::string new_one(const std::string& pattern, const Found& before) {
  for (const auto& [name, file] : find_all(pattern)) {
    const auto known = before.find(name);
    if (known == before.end() || known->second != file) return name;
  }
  return {};
}

/// Until the process has ended. `descriptor` is the process's own (pidfd_open), or -1 where the
/// system has none of these.
void wait_for_end(pid_t process, int descriptor) {
  if (descriptor >= 0) {
    pollfd waiting{descriptor, POLLIN, 0};
    while (::poll(&waiting, 1, -1) < 0 && errno == EINTR) {
    }
    return;
  }
  while (::kill(process, 0) == 0 || errno == EPERM) std::this_thread::sleep_for(4 * between_looks);
}

bool appears(const std::string& pattern, const Found& before) {
  for (milliseconds waited{0}; waited <= patience_for_file; waited += between_looks) {
    if (!new_one(pattern, before).empty()) return true;
    std::this_thread::sleep_for(between_looks);
  }
  return false;
}

struct Watched {
  std::string name;   ///< as it was asked for
  std::string trace;  ///< patterns of glob(3)
  std::string partial;
  Found traces_before;
  Found partials_before;
  std::string likely_cause;
};

void tell_what_is_missing(const Watched& watched) {
  if (appears(watched.trace, watched.traces_before)) return;
  if (const std::string partial = new_one(watched.partial, watched.partials_before);
      !partial.empty()) {
    tell(
        fmt::format("what was recorded is in {}: the job ended before MPI_Finalize, or, where Kith "
                    "has said why, its trace could not be written",
                    partial));
    return;
  }
  const std::string_view usual =
      "If Kith said nothing else, no process of the job called MPI_Init under Kith: a program "
      "without "
      "MPI, a static program, or something that drops LD_PRELOAD (env, a container, sudo, a "
      "script)";
  tell(fmt::format("nothing was recorded: there is no {}. {}", watched.name,
                   watched.likely_cause.empty() ? usual : watched.likely_cause));
}

/// Runs in the process of the watch.
void watch(pid_t launcher, int descriptor, int started, const Watched& watched) {
  char failed = 0;  // the other end is closed by exec
  if (::read(started, &failed, 1) > 0) return;
  wait_for_end(launcher, descriptor);
  tell_what_is_missing(watched);
}

}  // namespace

TraceWatch::TraceWatch(const std::string& trace, const std::string& likely_cause) {
  const std::string pattern = trace_directory_pattern(trace);
  const std::string partial = pattern + trace_names::partial_suffix;
  const Watched watched{trace,       pattern, partial, find_all(pattern), find_all(partial),
                        likely_cause};
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const pid_t launcher = ::getpid();
  const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, launcher, 0));
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[1]);
    ::setsid();
    if (::fork() != 0) ::_exit(0);  // no child of the launcher, which may wait for all of its own
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
    watch(launcher, descriptor, ends[0], watched);
    ::_exit(0);
  }
  if (descriptor >= 0) ::close(descriptor);
  ::close(ends[0]);
  alarm_ = ends[1];
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

TraceWatch::~TraceWatch() {
  if (alarm_ < 0) return;
  const char failed = 1;
  [[maybe_unused]] const ssize_t written = ::write(alarm_, &failed, 1);
  ::close(alarm_);
}

}  // namespace kith::tools
