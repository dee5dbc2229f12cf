#include "core/child_process.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace kith {
namespace {

// Waits for a child that may wait for ever itself, but not as long.
class Patience {
 public:
  bool is_over() { return ++slices_ > 3000; }  // a minute: the parent asks every 20 ms

 private:
  int slices_ = 0;
};

TEST(ForkSafeMutex, IsFreeInAChildAndGuardsWhatIsWhole) {
  ForkSafeMutex mutex;
  std::uint64_t one = 0;
  std::uint64_t other = 0;
  std::atomic<bool> done = false;
  std::thread writer([&] {
    while (!done) {
      const std::lock_guard guard(mutex);
      ++one;
      ++other;
    }
  });
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    Patience patience;
    const ChildEnd end = run_in_child(
        [&](const SendToParent& send) {
          const std::lock_guard guard(mutex);
          send(one == other ? "whole" : "torn");
        },
        [&] { return patience.is_over(); });
    EXPECT_EQ(end.how, ChildEnd::How::finished);
    EXPECT_EQ(end.message, "whole");
  }
  done = true;
  writer.join();
}

TEST(ForkSafeMutex, MayGoInAnyOrder) {
  auto first = std::make_unique<ForkSafeMutex>();
  auto second = std::make_unique<ForkSafeMutex>();
  auto third = std::make_unique<ForkSafeMutex>();
  const auto lock_in_child = [&](ForkSafeMutex& mutex) {
    Patience patience;
    return run_in_child([&](const SendToParent&) { const std::lock_guard guard(mutex); },
                        [&] { return patience.is_over(); })
        .how;
  };
  second.reset();
  EXPECT_EQ(lock_in_child(*first), ChildEnd::How::finished);
  third.reset();
  EXPECT_EQ(lock_in_child(*first), ChildEnd::How::finished);
  first.reset();
  ForkSafeMutex last;
  EXPECT_EQ(lock_in_child(last), ChildEnd::How::finished);
}

}  // namespace
}  // namespace kith
