// Waiting without taking the processor from those one waits for.
#pragma once

#include <time.h>

#include <algorithm>

namespace kith::runtime {

/// The first hundred calls do not pause; then the pauses grow to 2 ms.
class BackOff {
 public:
  void pause() {
    if (++tests_ < 100) return;
    constexpr long longest_ns = 2'000'000;
    pause_ns_ = std::min(longest_ns, pause_ns_ * 2 + 1000);
    const timespec time{0, pause_ns_};
    nanosleep(&time, nullptr);
  }

 private:
  int tests_ = 0;
  long pause_ns_ = 0;
};

}  // namespace kith::runtime
