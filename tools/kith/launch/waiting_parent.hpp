// Kith beside a launcher that it has started: nearly as if the launcher stood in its place.
#pragma once

#include <functional>
#include <string>

namespace kith::tools {

/// How a child ended, as waitpid() says it.
struct ChildEnd {
  int wait_status = 0;
  bool was_started = true;  ///< false: `become` could not, and has said why

  bool is_good() const { return wait_status == 0; }
  /// "status 1", "signal 15".
  std::string text() const;
};

/// Calls `become`, which replaces the process or throws, in a child, and waits for its end. The
/// child has our standard streams, process group and signals; those that reach this process alone
/// go to it; it is killed with this process, and this process stops while it is stopped.
ChildEnd run_in_child(const std::function<void()>& become);

/// Ends this process as the child ended: the same status, or the same signal.
[[noreturn]] void end_like(const ChildEnd& end);

}  // namespace kith::tools
