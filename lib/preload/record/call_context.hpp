// Which call of the program this thread is in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/late_binding.hpp"

namespace kith::record {

/// What a call of the program moves: the MOVES column of lib/preload/interpose/calls.
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
  void** frame;          ///< of the outermost call: where its return address lies
  void* return_address;
};
extern constinit thread_local CallContext call_context;  // no initialisation check per access

/// Whether the outermost call still runs. A callback of the program (an error handler, say) may
/// have left it by longjmp, an exception or pthread_exit, none of which tells us: then the stack
/// has shrunk to where we are now, or holds something else in its place. `frame`: of the caller.
inline bool outermost_call_runs(void* const* frame) {
  constexpr std::intptr_t deepest = std::intptr_t{16} << 20U;  // else another stack: do not look
  const std::intptr_t above =
      reinterpret_cast<std::intptr_t>(call_context.frame) - reinterpret_cast<std::intptr_t>(frame);
  return above > 0 && (above >= deepest || *call_context.frame == call_context.return_address);
}

/// One intercepted call, on the stack of the function that intercepts it.
class CallScope {
 public:
  [[gnu::always_inline]] explicit CallScope(CallKind kind) : before_(call_context.depth) {
    // On the processors that Kith knows the return address lies behind the saved frame pointer.
    void** const frame = static_cast<void**>(__builtin_frame_address(0)) + 1;
    if (before_ != 0 && !outermost_call_runs(frame)) [[unlikely]]
      before_ = 0;
    if (before_ == 0) {
      call_context.kind = kind;
      call_context.frame = frame;
      call_context.return_address = *frame;
    }
    call_context.depth = before_ + 1;
  }
  [[gnu::always_inline]] ~CallScope() { call_context.depth = before_; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;
  /// Never where the MPI library is not of our kind: what follows a call could not read its
  /// arguments.
  bool outermost() const {
    return before_ == 0 && !mpi::other_library.load(std::memory_order_relaxed);
  }

 private:
  int before_;  ///< depth
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
