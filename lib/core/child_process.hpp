// Work in a child process, for libraries that may crash or cannot be interrupted, and the
// mutexes that it may lock.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace kith {

/// Hands one message to the parent. Ends the child where the parent is gone.
using SendToParent = std::function<void(std::string_view message)>;

struct ChildEnd {
  enum class How {
    finished,     ///< the work returned
    crashed,      ///< by `signal`, or by an early exit: then `signal` is 0
    abandoned,    ///< killed because the parent gave up
    not_started,  ///< no child could be had: nothing was done
  };
  How how = How::not_started;
  int signal = 0;
  std::string message;  ///< the last whole one that the child sent; empty: none
};

/// Runs `work` in a copy of this process and waits for it; asks `give_up` many times a second and
/// kills the child when it says true. The child has no output, no core file, none of the parent's
/// other files, runs no exit handlers and does not outlive the calling thread (Linux). An exception
/// that leaves `work` is a crash. `work` may not start or use threads: none but the caller's is
/// there, and the only locks of Kith that it may take are ForkSafeMutex. Callable from any thread.
ChildEnd run_in_child(const std::function<void(const SendToParent&)>& work,
                      const std::function<bool()>& give_up);

// A mutex that work in a child process may lock.

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
