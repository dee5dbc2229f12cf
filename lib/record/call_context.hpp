// Which call of the program this thread is in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/late_binding.hpp"

namespace kith::record {

/// What a call of the program moves: the MOVES column of lib/interpose/calls.
enum class CallKind : std::uint8_t {
  none,
  p2p,
  post,
  poll,
  wait,
  collective,
  neighbour,
  rma,
  file,
  setup,
  window
};
inline constexpr std::size_t call_kind_count = 11;

struct ThreadRecord;

/// Depth of intercepted calls in this thread: what the MPI library or a tool behind us calls on its
/// own account, inside a call of the program, is not the program's traffic.
struct CallContext {
  int depth;
  CallKind kind;         ///< of the outermost call; meaningless at depth 0
  bool ours;             ///< Kith itself communicates: no traffic of the program
  ThreadRecord* record;  ///< the thread's counters; null until it needs some
};
extern constinit thread_local CallContext call_context;  // no initialisation check per access

class CallScope {
 public:
  explicit CallScope(CallKind kind) {
    if (call_context.depth++ == 0) call_context.kind = kind;
  }
  ~CallScope() { --call_context.depth; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;
  /// Never where the MPI library is not of our kind: what follows a call could not read its
  /// arguments.
  bool outermost() const {
    return call_context.depth == 1 && !mpi::foreign_library.load(std::memory_order_relaxed);
  }
};

/// While it lives, what this thread sends is Kith's.
class OwnCalls {
 public:
  OwnCalls() : before_(call_context.ours) { call_context.ours = true; }
  ~OwnCalls() { call_context.ours = before_; }
  OwnCalls(const OwnCalls&) = delete;
  OwnCalls& operator=(const OwnCalls&) = delete;

 private:
  bool before_;
};

}  // namespace kith::record
