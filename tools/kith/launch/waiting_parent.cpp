#include "launch/waiting_parent.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "kith/error.hpp"

namespace kith::tools {
namespace {

/// Blocked while this lives, and taken by next(): what users, batch systems and terminals send.
class Signals {
 public:
  Signals() {
    sigemptyset(&taken_);
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU,
                             SIGWINCH, SIGTSTP, SIGCONT, SIGCHLD}) {
      sigaddset(&taken_, signal);
    }
    sigprocmask(SIG_BLOCK, &taken_, &mask_before_);
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;  // ignored, no child would be left to wait for
    sigaction(SIGCHLD, &usual, &child_before_);
  }

  void restore() const {
    sigaction(SIGCHLD, &child_before_, nullptr);
    sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }

  siginfo_t next() const {
    siginfo_t info{};
    while (::sigwaitinfo(&taken_, &info) < 0 && errno == EINTR) {
    }
    return info;
  }

 private:
  sigset_t taken_{};
  sigset_t mask_before_{};
  struct sigaction child_before_ {};
};

/// True when it has ended.
bool look_at(pid_t child, int& status) {
  pid_t found = 0;
  while ((found = ::waitpid(child, &status, WNOHANG | WUNTRACED)) < 0 && errno == EINTR) {
  }
  if (found != child) return found < 0;
  if (WIFSTOPPED(status)) {
    ::kill(::getpid(), SIGSTOP);  // so that the shell, too, sees it stopped
    return false;
  }
  return true;
}

/// Until the child has ended. Returns its status.
int wait_for(pid_t child, const Signals& signals) {
  int status = 0;
  bool is_ended_by_us = false;  // timeout(1) sends SIGCONT behind SIGTERM, which launchers hand on
  while (!look_at(child, status)) {
    const siginfo_t info = signals.next();
    const int signal = info.si_signo;
    const bool has_it = info.si_code == SI_KERNEL;  // of the terminal: the whole group gets it
    if (signal == SIGCHLD || has_it || (signal == SIGCONT && is_ended_by_us)) continue;
    ::kill(child, signal);
    is_ended_by_us = is_ended_by_us || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
                     signal == SIGQUIT;
  }
  return status;
}

}  // namespace

std::string ChildEnd::text() const {
  return WIFSIGNALED(wait_status) ? fmt::format("signal {}", WTERMSIG(wait_status))
                                  : fmt::format("status {}", WEXITSTATUS(wait_status));
}

ChildEnd run_in_child(const std::function<void()>& become) {
  std::array<int, 2> alarm;  // closed by exec; what comes through it says that there was none
  if (::pipe2(alarm.data(), O_CLOEXEC) != 0) become();
  const Signals signals;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {  // no process to spare: without us, then
    signals.restore();
    become();
  }
  if (child == 0) {
    signals.restore();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(EXIT_FAILURE);
    try {
      become();
    } catch (...) {
      const char failed = 1;
      [[maybe_unused]] const ssize_t written = ::write(alarm[1], &failed, 1);
      throw;
    }
  }
  ::close(alarm[1]);
  ChildEnd end;
  end.wait_status = wait_for(child, signals);
  char failed = 0;
  end.was_started = ::read(alarm[0], &failed, 1) <= 0;
  ::close(alarm[0]);
  signals.restore();
  return end;
}

void end_like(const ChildEnd& end) {
  if (WIFSIGNALED(end.wait_status)) {
    const int signal = WTERMSIG(end.wait_status);
    const rlimit no_core{0, 0};  // the launcher has left its own
    ::setrlimit(RLIMIT_CORE, &no_core);
    std::signal(signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    sigprocmask(SIG_UNBLOCK, &only, nullptr);
    ::kill(::getpid(), signal);
    ::_exit(128 + signal);
  }
  ::_exit(WEXITSTATUS(end.wait_status));
}

}  // namespace kith::tools
