#include "core/child_process.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

namespace kith {
namespace {

using How = ChildEnd::How;

bool never() {
  return false;
}

ChildEnd run(const std::function<void(const SendToParent&)>& work) {
  return run_in_child(work, never);
}

bool has_children() {
  return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

TEST(ChildProcess, HandsOverTheLastMessage) {
  EXPECT_EQ(run([](const SendToParent&) {}).message, "");
  const std::string large(3'000'000, 'x');  // many times what a pipe holds
  const ChildEnd end = run([&](const SendToParent& send) {
    send("first");
    send(large + std::string("\0end", 4));
  });
  EXPECT_EQ(end.how, How::finished);
  EXPECT_EQ(end.signal, 0);
  EXPECT_EQ(end.message, large + std::string("\0end", 4));
  EXPECT_FALSE(has_children());
}

TEST(ChildProcess, ChangesNothingHere) {
  int value = 1;
  EXPECT_EQ(run([&](const SendToParent&) { value = 2; }).how, How::finished);
  EXPECT_EQ(value, 1);
}

TEST(ChildProcess, TellsHowItEnded) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGKILL}) {
    const ChildEnd end = run([signal](const SendToParent& send) {
      send("before");
      std::raise(signal);
    });
    EXPECT_EQ(end.how, How::crashed);
    EXPECT_EQ(end.signal, signal);
    EXPECT_EQ(end.message, "before");
  }
  const ChildEnd early = run([](const SendToParent&) { _exit(0); });
  EXPECT_EQ(early.how, How::crashed);
  EXPECT_EQ(early.signal, 0);
  const ChildEnd thrown = run([](const SendToParent&) { throw std::runtime_error("x"); });
  EXPECT_EQ(thrown.how, How::crashed);
  EXPECT_EQ(thrown.signal, SIGABRT);
}

TEST(ChildProcess, IsKilledWhenTheParentGivesUp) {
  int questions = 0;
  const ChildEnd end = run_in_child(
      [](const SendToParent& send) {
        send("so far");
        while (true) pause();
      },
      [&] { return ++questions > 20; });
  EXPECT_EQ(end.how, How::abandoned);
  EXPECT_EQ(end.message, "so far");
  EXPECT_FALSE(has_children());
}

TEST(ChildProcess, IsReapedWhenTheQuestionThrows) {
  EXPECT_THROW(
      run_in_child([](const SendToParent&) { pause(); }, []() -> bool { throw std::bad_alloc(); }),
      std::bad_alloc);
  EXPECT_FALSE(has_children());
}

TEST(ChildProcess, IsSilentAndHasNoneOfOurFiles) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  testing::internal::CaptureStderr();
  const ChildEnd end = run([&](const SendToParent& send) {
    ASSERT_EQ(write(STDERR_FILENO, "noise", 5), 5);
    send(fcntl(ends[0], F_GETFD) < 0 && fcntl(ends[1], F_GETFD) < 0 ? "closed" : "open");
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(end.message, "closed");
  close(ends[0]);
  close(ends[1]);
}

TEST(ChildProcess, NeedsNoStandardFiles) {
  const ChildEnd outer = run([](const SendToParent& send) {
    for (int standard = 0; standard <= STDERR_FILENO; ++standard) close(standard);
    send(run([](const SendToParent& send_out) { send_out("here"); }).message);
  });
  EXPECT_EQ(outer.message, "here");
}

TEST(ChildProcess, RunsNoExitHandlers) {
  static void* const shared =
      mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  std::atexit([] { *static_cast<int*>(shared) = 1; });
  EXPECT_EQ(run([](const SendToParent&) {}).how, How::finished);
  EXPECT_EQ(*static_cast<int*>(shared), 0);
}

TEST(ChildProcess, DoesNotOutliveTheParent) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // the child becomes ours when its parent dies
  auto* const pid = static_cast<std::atomic<pid_t>*>(mmap(nullptr, sizeof(std::atomic<pid_t>),
                                                          PROT_READ | PROT_WRITE,
                                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(static_cast<void*>(pid), MAP_FAILED);
  const pid_t parent = fork();
  if (parent == 0) {
    run([pid](const SendToParent&) {
      *pid = getpid();
      sleep(20);
    });
    _exit(0);
  }
  while (*pid == 0) usleep(1000);
  kill(parent, SIGKILL);
  ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
  int status = 0;
  ASSERT_EQ(waitpid(*pid, &status, 0), *pid);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace
}  // namespace kith
