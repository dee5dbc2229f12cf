// Runs a program as on a kernel without close_range and process descriptors, with the highest limit
// of open files that can be had: whoever closes up to that limit is killed.
//
// usage: old_kernel PROGRAM ARGUMENT...
#include "../../support/old_kernel.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

int main(int argc, char** argv) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max = std::max<rlim_t>(limit.rlim_max, 1'000'000);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  const bool is_old =
      kith::forget_system_calls({SYS_close_range, SYS_pidfd_open, SYS_pidfd_send_signal});
  if (!is_old || limit.rlim_cur <= 4096) return 77;
  if (argc > 1) execvp(argv[1], argv + 1);
  return 127;
}
