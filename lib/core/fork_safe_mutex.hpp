// A mutex that work in a child process may lock.
#pragma once

#include <mutex>

namespace kith {

/// In a child of run_in_child() no other thread holds this mutex: the thread that forks locks all
/// such mutexes first, so that the data that they guard is whole in the child. A mutex that another
/// thread held at the fork would stay locked there for ever. Whoever holds one may neither take a
/// second one nor call run_in_child(): the fork takes them in any order.
class ForkSafeMutex {
 public:
  ForkSafeMutex();
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;
  ~ForkSafeMutex();

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  friend class ForkGuard;

  std::mutex mutex_;
  ForkSafeMutex* before_ = nullptr;
  ForkSafeMutex* after_ = nullptr;
};

/// Holds every ForkSafeMutex while it lives; the child lets them go like the parent.
class ForkGuard {
 public:
  ForkGuard();
  ForkGuard(const ForkGuard&) = delete;
  ForkGuard& operator=(const ForkGuard&) = delete;
  ~ForkGuard();
};

}  // namespace kith
