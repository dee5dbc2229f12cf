// Facts about this process, from the C library alone, and the signal for files that grow too large.
#pragma once

#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/file_content.hpp"

namespace kith {

/// As gethostname() tells it; "unknown" where it does not.
inline std::string this_host() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

/// One number per boot of a machine; containers on it see the same. Empty where it cannot be read.
inline std::string kernel_identity() {
  return file_content("/proc/sys/kernel/random/boot_id");
}

/// CPUs that this process may run on (operating-system indices, ascending); empty when the kernel
/// does not say.
inline std::vector<std::uint32_t> allowed_cpus() {
  for (int most = 1024; most <= 1024 * 1024; most *= 2) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(most));
    if (set == nullptr) return {};
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    CPU_ZERO_S(size, set);
    const bool known = sched_getaffinity(0, size, set) == 0;
    std::vector<std::uint32_t> cpus;
    for (int cpu = 0; known && cpu < most; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, set)) {
        cpus.push_back(static_cast<std::uint32_t>(cpu));
      }
    }
    CPU_FREE(set);
    if (known) return cpus;  // otherwise the set was too small for this kernel
  }
  return {};
}

/// This process's number among those of its job on its host, as its launcher tells it; -1 where it
/// does not.
inline int local_rank_of_launcher() {
  for (const char* const name :
       {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    if (const char* const value = std::getenv(name)) return std::atoi(value);
  }
  return -1;
}

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
