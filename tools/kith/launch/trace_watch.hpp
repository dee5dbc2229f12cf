// Whoever asked for a trace and gets none is told at the end.
#pragma once

#include <string>

namespace kith::tools {

/// Waits beside the launcher, which this process becomes, in a process of its own that is no child
/// of the launcher's and takes no signals of its terminal. When the launcher has ended, it says on
/// stderr whether the trace is missing, or only a part of it was kept.
class TraceWatch {
 public:
  /// `trace`: its directory's whole path, in which %j and %p may be open; `likely_cause`: a
  /// sentence about what is known already, or empty. Without a process to spare nothing is watched.
  TraceWatch(const std::string& trace, const std::string& likely_cause);
  /// The launcher could not be started: there is nothing to watch.
  ~TraceWatch();
  TraceWatch(const TraceWatch&) = delete;
  TraceWatch& operator=(const TraceWatch&) = delete;

 private:
  int alarm_ = -1;  ///< closed by exec; what is written there ends the watch
};

}  // namespace kith::tools
