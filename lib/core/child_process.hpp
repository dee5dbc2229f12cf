// Work in a child process: for libraries that may crash or cannot be interrupted.
#pragma once

#include <functional>
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

}  // namespace kith
