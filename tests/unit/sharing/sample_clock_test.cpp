#include "sharing/sample_clock.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <thread>

namespace kith::sharing {
namespace {

std::atomic<int> ticks{0};

void compute(double seconds) {
  timespec begin{};
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (static_cast<double>(now.tv_sec - begin.tv_sec) +
               1e-9 * static_cast<double>(now.tv_nsec - begin.tv_nsec) <
           seconds);
}

class SampleClockTest : public testing::Test {
 protected:
  void SetUp() override {
    struct sigaction action {};
    action.sa_handler = [](int) { ++ticks; };
    sigaction(sample_signal(), &action, &before_);
    ASSERT_TRUE(prepare_clocks());
    ASSERT_TRUE(start_clock());
    ticks = 0;
  }
  void TearDown() override {
    stop_clock();
    sigaction(sample_signal(), &before_, nullptr);
  }

  struct sigaction before_ {};
};

TEST_F(SampleClockTest, SignalsComeWhileAThreadComputesAndNotWhileItWaits) {
  compute(0.3);
  EXPECT_GE(ticks, 5);
  ticks = 0;
  timespec rest{0, 300'000'000};
  EXPECT_EQ(nanosleep(&rest, nullptr), 0) << "ended early";
  EXPECT_LE(ticks, 2);
}

TEST_F(SampleClockTest, NoneAfterItIsStoppedByWhomever) {
  std::thread([] { stop_all_clocks(); }).join();
  ticks = 0;
  compute(0.1);
  EXPECT_EQ(ticks, 0);
}

TEST_F(SampleClockTest, AChildHasNone) {
  const pid_t child = fork();
  if (child == 0) {
    forget_clocks();
    ticks = 0;
    compute(0.1);
    _exit(ticks == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  compute(0.3);
  EXPECT_GE(ticks, 5) << "and its parent keeps its own";
}

#ifdef __x86_64__
TEST(ResumeCall, OnlyACallThatTheSignalEndedIsCalledAgain) {
  // mov $7,%eax; syscall
  alignas(64) static const std::array<std::uint8_t, 8> code{0xb8, 7, 0, 0, 0, 0x0f, 0x05, 0x90};
  const auto behind = reinterpret_cast<greg_t>(code.data() + 7);
  ucontext_t context{};
  auto& registers = context.uc_mcontext.gregs;
  registers[REG_RAX] = -EINTR;
  registers[REG_RIP] = behind;
  resume_call(&context);
  EXPECT_EQ(registers[REG_RAX], 7);
  EXPECT_EQ(registers[REG_RIP], behind - 2);
  registers[REG_RAX] = 1;  // it succeeded
  registers[REG_RIP] = behind;
  resume_call(&context);
  EXPECT_EQ(registers[REG_RIP], behind);
  registers[REG_RAX] = -EINTR;  // no call
  registers[REG_RIP] = behind + 1;
  resume_call(&context);
  EXPECT_EQ(registers[REG_RIP], behind + 1);
}
#endif

}  // namespace
}  // namespace kith::sharing
