// A process that is killed, or nothing: never another one that got its number.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cstddef>

namespace kith {

/// Refers to a process by a descriptor, which its number's next owner does not inherit. Made while
/// the process is sure to exist (running, or not yet waited for). System calls only: it may be made
/// between clone and execve. Not copied; whoever holds it closes it.
class ProcessHandle {
 public:
  static ProcessHandle of(pid_t pid) {
    ProcessHandle handle;
    handle.pid_ = pid;
#ifdef SYS_pidfd_open
    handle.fd_ = static_cast<int>(syscall(SYS_pidfd_open, pid, 0U));
    handle.is_pidfd_ = handle.fd_ >= 0;
#endif
    // Before Linux 5.3, and under filters: its folder in /proc, which goes when it goes.
    if (handle.fd_ < 0) {
      handle.fd_ = static_cast<int>(
          syscall(SYS_openat, AT_FDCWD, folder_of(pid).data(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    }
    return handle;
  }

  /// False where the process has ended, or nothing can be known of it: then nothing is done.
  bool kill() const {
#ifdef SYS_pidfd_send_signal
    if (is_pidfd_) return syscall(SYS_pidfd_send_signal, fd_, SIGKILL, nullptr, 0U) == 0;
#endif
    return exists() && ::kill(pid_, SIGKILL) == 0;
  }

  void close() {
    if (fd_ >= 0) syscall(SYS_close, fd_);
    fd_ = -1;
  }

 private:
  bool exists() const {
    return fd_ >= 0 && faccessat(fd_, "stat", F_OK, 0) == 0;
  }

  static std::array<char, 32> folder_of(pid_t pid) {
    std::array<char, 32> path{'/', 'p', 'r', 'o', 'c', '/'};
    std::size_t digits = 1;
    for (pid_t rest = pid; rest >= 10; rest /= 10) ++digits;
    for (std::size_t i = digits; i > 0; --i, pid /= 10) {
      path[5 + i] = static_cast<char>('0' + pid % 10);
    }
    return path;
  }

  pid_t pid_ = -1;
  int fd_ = -1;
  bool is_pidfd_ = false;
};

}  // namespace kith
