// Processes that Kith starts: a handle that kills this process or none, and the descriptors that
// it may inherit.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

// Closing what a child process must not keep.

/// The directory of this process's open files, read without memory of its own.
class OpenDescriptors {
 public:
  OpenDescriptors()
      : folder_(static_cast<int>(
            syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC))) {}
  ~OpenDescriptors() {
    if (folder_ >= 0) syscall(SYS_close, folder_);
  }
  OpenDescriptors(const OpenDescriptors&) = delete;
  OpenDescriptors& operator=(const OpenDescriptors&) = delete;

  /// visit(fd) for each of them except this directory's own; false where that cannot be read.
  template <class Visit>
  bool for_each(Visit&& visit) {
    alignas(std::uint64_t) char entries[1024];
    while (folder_ >= 0) {
      const long size = syscall(SYS_getdents64, folder_, entries, sizeof entries);
      if (size == 0) return true;
      if (size < 0) return false;
      for (long at = 0; at < size;) {
        const char* const entry = entries + at;
        std::uint16_t length = 0;
        std::memcpy(&length, entry + offset_of_length, sizeof length);
        const int fd = number(entry + offset_of_name);
        if (fd >= 0 && fd != folder_) visit(fd);
        at += length;
      }
    }
    return false;
  }

 private:
  // struct linux_dirent64: inode and offset of 64 bits each, length, type, name.
  static constexpr std::size_t offset_of_length = 16;
  static constexpr std::size_t offset_of_name = 19;

  /// -1 for "." and "..".
  static int number(const char* name) {
    int value = 0;
    for (; *name != '\0'; ++name) {
      if (*name < '0' || *name > '9') return -1;
      value = value * 10 + (*name - '0');
    }
    return value;
  }

  int folder_;
};

/// Closes all descriptors from `first` (more than 0) on, except `kept`. Raw system calls only
/// (close() is a cancellation point, and tools wrap it): it may run between vfork and execve.
/// Kernels and filters without close_range: those that /proc tells.
inline void close_descriptors_from(int first, int kept = -1) {
#ifdef SYS_close_range
  const auto close_between = [](unsigned from, unsigned to) {
    return from > to || syscall(SYS_close_range, from, to, 0U) == 0;
  };
  if (kept < first) {
    if (close_between(static_cast<unsigned>(first), ~0U)) return;
  } else if (close_between(static_cast<unsigned>(first), static_cast<unsigned>(kept) - 1) &&
             close_between(static_cast<unsigned>(kept) + 1, ~0U)) {
    return;
  }
#endif
  const auto close_one = [&](int fd) {
    if (fd >= first && fd != kept) syscall(SYS_close, fd);
  };
  if (OpenDescriptors().for_each(close_one)) return;
  constexpr int most = 4096;  // the limit may be 10^9, and the caller waits
  for (int fd = first; fd < most; ++fd) close_one(fd);
}

}  // namespace kith
