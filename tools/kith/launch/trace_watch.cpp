#include "launch/trace_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include "io/format/trace_text.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// Another host may have written it: here it is seen a little later.
constexpr milliseconds patience_for_file{500};
constexpr milliseconds between_looks{50};

/// Which file is there under a name: another one after it was replaced.
std::optional<ino_t> identity(const fs::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return found.st_ino;
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

bool appears(const fs::path& path, std::optional<ino_t> before) {
  for (milliseconds waited{0}; waited <= patience_for_file; waited += between_looks) {
    const auto now = identity(path);
    if (now && now != before) return true;
    std::this_thread::sleep_for(between_looks);
  }
  return false;
}

struct Watched {
  fs::path trace;
  fs::path partial;
  std::optional<ino_t> trace_before;
  std::optional<ino_t> partial_before;
  std::string likely_cause;
};

void tell_what_is_missing(const Watched& watched) {
  if (appears(watched.trace, watched.trace_before)) return;
  const auto partial = identity(watched.partial);
  if (partial && partial != watched.partial_before) {
    tell(fmt::format("the job ended before MPI_Finalize: what was recorded until then is in {}",
                     watched.partial.string()));
    return;
  }
  const std::string_view usual =
      "If Kith said nothing else, no process of the job called MPI_Init under Kith: a program "
      "without "
      "MPI, a static program, or something that drops LD_PRELOAD (env, a container, sudo, a "
      "script)";
  tell(fmt::format("nothing was recorded: there is no {}. {}", watched.trace.string(),
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

TraceWatch::TraceWatch(const fs::path& trace, const std::string& likely_cause) {
  fs::path partial = trace;
  partial += trace_names::partial_suffix;
  const Watched watched{trace, partial, identity(trace), identity(partial), likely_cause};
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
