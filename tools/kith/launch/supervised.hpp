// A launcher as a child of ours: its output comes here, signals go there.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string_view>

#include "launch/launcher.hpp"

namespace kith::tools {

/// How a child ended.
struct Ending {
  int status = 0;          ///< as a shell says it: 128 + N where signal N ended it
  bool timed_out = false;  ///< ended by us at the deadline
};

class Supervision {
 public:
  using Clock = std::chrono::steady_clock;

  /// Called with each line of the child's stdout, without its end.
  std::function<void(std::string_view line)> on_line;
  /// From here on the child is ended (SIGTERM, then SIGKILL); none: it may take as long as it
  /// likes. May be set while the child runs.
  std::optional<Clock::time_point> deadline;

  /// Runs `words` with its stdin empty and stderr ours, in `environment` ("NAME=VALUE"), until it
  /// has ended. SIGINT, SIGTERM and SIGHUP that reach this process meanwhile go to the child (but
  /// for those from the terminal, which it gets itself). Throws Error (environment) when it cannot
  /// be started; what on_line throws, after ending the child.
  Ending run(const Words& words, const Words& environment);
};

}  // namespace kith::tools
