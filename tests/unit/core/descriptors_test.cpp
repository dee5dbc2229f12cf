#include "core/process_handle.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <vector>

#include "../../support/old_kernel.hpp"
#include "core/child_process.hpp"

namespace kith {
namespace {

bool is_open(int fd) {
  return fcntl(fd, F_GETFD) >= 0;
}

/// As many descriptors as one may have: some containers allow 10^9.
void raise_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max = std::max<rlim_t>(limit.rlim_max, 1'000'000);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

/// How a child ends that runs `body`: 0 where that says true; 77: no filter can be had here.
template <class Body>
int end_of_child(bool is_old_kernel, Body&& body) {
  const pid_t pid = fork();
  if (pid == 0) {
    raise_limit();
    if (is_old_kernel && !forget_system_calls({SYS_close_range})) _exit(77);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

bool closes_all_but_one() {
  std::vector<int> opened;
  for (int i = 0; i < 300; ++i) opened.push_back(dup(2));
  const int kept = opened[100];
  close_descriptors_from(3, kept);
  for (const int fd : opened) {
    if (is_open(fd) != (fd == kept)) return false;
  }
  return is_open(2);
}

bool closes_all() {
  const int high = fcntl(2, F_DUPFD, 900);
  close_descriptors_from(3);
  return high > 0 && !is_open(high) && !is_open(3) && is_open(2);
}

TEST(Descriptors, AreClosedOnAnyKernel) {
  for (const bool is_old_kernel : {false, true}) {
    const int end = end_of_child(is_old_kernel, closes_all_but_one);
    if (end == 77) GTEST_SKIP() << "no seccomp filter here";
    EXPECT_EQ(end, 0) << "old kernel: " << is_old_kernel;
    EXPECT_EQ(end_of_child(is_old_kernel, closes_all), 0) << "old kernel: " << is_old_kernel;
  }
}

TEST(Descriptors, AreClosedInAChildOfAnOldKernel) {
  const int end = end_of_child(true, [] {
    const int other = dup(2);
    const ChildEnd child =
        run_in_child([&](const SendToParent& send) { send(is_open(other) ? "open" : "closed"); },
                     [] { return false; });
    return child.message == "closed";
  });
  if (end == 77) GTEST_SKIP() << "no seccomp filter here";
  EXPECT_EQ(end, 0);
}

}  // namespace
}  // namespace kith
