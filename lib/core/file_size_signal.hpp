// A file-size limit must not end the application when it is Kith that writes.
#pragma once

#include <signal.h>
#include <time.h>

#include <cerrno>

namespace kith {

/// While it lives, a write beyond RLIMIT_FSIZE in this thread fails with EFBIG instead of raising
/// SIGXFSZ.
class FileSizeSignalBlocked {
 public:
  FileSizeSignalBlocked() {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &one, &before_);
  }
  ~FileSizeSignalBlocked() {
    const int error = errno;
    if (sigismember(&before_, SIGXFSZ) == 0) {
      sigset_t one;
      sigemptyset(&one);
      sigaddset(&one, SIGXFSZ);
      const timespec at_once{0, 0};
      sigtimedwait(&one, nullptr, &at_once);  // ours, should one be pending
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;  // that of the write is still to be told
  }
  FileSizeSignalBlocked(const FileSizeSignalBlocked&) = delete;
  FileSizeSignalBlocked& operator=(const FileSizeSignalBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace kith
