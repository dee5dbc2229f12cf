// What every generated wrapper is made of.
#pragma once

#include <atomic>

#include "mpi/late_binding.hpp"
#include "mpi/late_mpi.h"
#include "mpi/world.hpp"
#include "record/call_context.hpp"
#include "record/thread_record.hpp"
#include "record/timeline/events.hpp"
#include "record/timeline/thread_timeline.hpp"
#include "session/phase_watch.hpp"

namespace kith::record {

/// What every wrapper that moves or waits for something begins with: the thread's context, and its
/// clock for the outermost call.
class TimedCall {
 public:
  // In some 200 wrappers: the compiler would rather call it.
  [[gnu::always_inline]] explicit TimedCall(CallKind kind) : scope_(kind), kind_(kind) {
    if (!scope_.outermost()) return;
    record_ = this_thread_record();
    if (record_ == nullptr) return;
    call_ = record_->load.enter(kind);
    if (record_->timeline != nullptr) record_->timeline->enter(call_.entered);
  }
  [[gnu::always_inline]] ~TimedCall() {
    if (record_ == nullptr) return;
    const std::uint64_t left = record_->load.leave(call_, kind_);
    if (record_->timeline != nullptr) record_->timeline->leave(left, kind_);
  }
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;
  bool outermost() const { return scope_.outermost(); }

 private:
  CallScope scope_;
  CallKind kind_;
  ThreadRecord* record_ = nullptr;
  LoadClock::Call call_;
};

}  // namespace kith::record

#define KITH_EXPORT __attribute__((visibility("default")))

namespace kith::interpose {

/// The definition that a wrapper calls, looked up at its first use. Constant-initialised: usable
/// before any constructor has run.
template <class Function>
class NextFunction {
 public:
  constexpr explicit NextFunction(const char* name) : name_(name) {}

  Function get() {
    Function function = function_.load(std::memory_order_acquire);
    if (function == nullptr) [[unlikely]] {
      function = reinterpret_cast<Function>(mpi::next_definition(name_));
      function_.store(function, std::memory_order_release);
    }
    return function;
  }

 private:
  const char* name_;
  std::atomic<Function> function_{nullptr};
};

using record::CallKind;
using record::CallScope;
using record::TimedCall;

inline MPI_Comm seen_world(MPI_Comm comm) {
  return mpi::seen(comm);
}

/// Before a blocking collective, the call that phases by time and signal hang on: all ranks call it
/// the same number of times, also where it then fails on some.
inline void before_collective(MPI_Comm comm) {
  if (!preload::phases_are_watched.load(std::memory_order_relaxed)) [[likely]]
    return;
  if (comm == mpi::program_world()) preload::before_world_collective();
}

}  // namespace kith::interpose
