// A call of the program, from entry to return.
#pragma once

#include "record/call_context.hpp"
#include "record/thread_record.hpp"

namespace kith::record {

/// What every wrapper that moves or waits for something begins with: the thread's context, and its
/// clock for the outermost call.
class TimedCall {
 public:
  // In some 200 wrappers: the compiler would rather call it.
  [[gnu::always_inline]] explicit TimedCall(CallKind kind) : scope_(kind), kind_(kind) {
    if (!scope_.outermost()) return;
    record_ = this_thread_record();
    if (record_ != nullptr) [[likely]]
      call_ = record_->load.enter(kind);
  }
  [[gnu::always_inline]] ~TimedCall() {
    if (record_ != nullptr) record_->load.leave(call_, kind_);
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
