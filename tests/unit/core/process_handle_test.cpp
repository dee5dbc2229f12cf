#include "core/process_handle.hpp"

#include <gtest/gtest.h>

#include <linux/sched.h>
#include <sys/wait.h>

#include <cstdint>

#include "../../support/old_kernel.hpp"

namespace kith {
namespace {

pid_t sleeper() {
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(60);
    for (;;) pause();
  }
  return pid;
}

/// A process of this number; less than 0 where the kernel does not let us choose.
pid_t sleeper_numbered(pid_t wanted) {
#ifdef SYS_clone3
  clone_args arguments{};
  arguments.exit_signal = SIGCHLD;
  arguments.set_tid = reinterpret_cast<std::uint64_t>(&wanted);
  arguments.set_tid_size = 1;
  const auto pid = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
  if (pid == 0) {
    syscall(SYS_alarm, 60);
    for (;;) pause();
  }
  return pid;
#else
  static_cast<void>(wanted);
  return -1;
#endif
}

/// The signal that ended it; 0: it lives, and is ended now.
int end_of(pid_t pid) {
  int status = 0;
  if (waitpid(pid, &status, WNOHANG) == 0) {
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return 0;
  }
  return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

constexpr int cannot_be_tried = 77;

int kills_its_process() {
  const pid_t pid = sleeper();
  ProcessHandle handle = ProcessHandle::of(pid);
  if (!handle.kill()) return 1;
  int status = 0;
  waitpid(pid, &status, 0);
  const bool again = handle.kill();
  handle.close();
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !again ? 0 : 2;
}

int spares_the_next_of_its_number() {
  const pid_t pid = sleeper();
  ProcessHandle handle = ProcessHandle::of(pid);
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  const pid_t other = sleeper_numbered(pid);
  if (other != pid) return cannot_be_tried;
  const bool killed = handle.kill();
  handle.close();
  return end_of(other) == 0 && !killed ? 0 : 3;
}

int result_of(bool is_old_kernel, int (*body)()) {
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(100);
    if (is_old_kernel && !forget_system_calls({SYS_pidfd_open, SYS_pidfd_send_signal})) {
      _exit(cannot_be_tried);
    }
    _exit(body());
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(ProcessHandle, KillsItsProcessOnce) {
  for (const bool is_old_kernel : {false, true}) {
    const int result = result_of(is_old_kernel, kills_its_process);
    if (result == cannot_be_tried) GTEST_SKIP() << "no seccomp filter here";
    EXPECT_EQ(result, 0) << "old kernel: " << is_old_kernel;
  }
}

TEST(ProcessHandle, SparesTheNextOfItsNumber) {
  for (const bool is_old_kernel : {false, true}) {
    const int result = result_of(is_old_kernel, spares_the_next_of_its_number);
    if (result == cannot_be_tried) GTEST_SKIP() << "a process's number cannot be chosen here";
    EXPECT_EQ(result, 0) << "old kernel: " << is_old_kernel;
  }
}

}  // namespace
}  // namespace kith
