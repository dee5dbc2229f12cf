#include "machine/hwloc/trial.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace kith {
namespace {

/// The child's life: silent, bounded, and its end always says whether the attempt came to an end.
[[noreturn]] void try_in_child(const std::function<void()>& attempt) {
  constexpr rlim_t most_seconds = 60;
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing >= 0) {
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const rlimit time{most_seconds, most_seconds};
  setrlimit(RLIMIT_CPU, &time);
  for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(fatal, SIG_DFL);
  attempt();
  _exit(0);
}

}  // namespace

bool survives(const std::function<void()>& attempt) {
  const pid_t child = fork();
  if (child == 0) try_in_child(attempt);
  if (child < 0) return true;
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (ended < 0) return true;  // somebody else waits for our children
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace kith
