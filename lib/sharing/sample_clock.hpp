// A signal to a thread each time it has computed for a while.
#pragma once

namespace kith::sharing {

/// The signal. Its default is to be ignored, so that one that comes late does no harm; debuggers
/// pass it on; and no more than one waits for a thread.
int sample_signal() noexcept;

/// Computing time between two signals to a thread, in ns, where the kernel gives software events;
/// else it is a tick of the kernel (1 to 10 ms).
inline constexpr long sample_period = 250'000;

enum class Clock {
  none,    ///< the system gives neither
  events,  ///< perf_event_open(): signals come only while the thread runs code of its own
  timer,   ///< of the thread's computing time: a signal may end a system call that has begun to wait
};

/// Prepares what start_clock() needs; once for a process, before threads start theirs. False where
/// the process has no room for a thread-specific key.
bool prepare_clocks() noexcept;

/// From now on the calling thread gets sample_signal(). It ends with the thread, with stop_clock()
/// and with exec(); a child has none.
Clock start_clock() noexcept;
/// May be called in a signal handler.
void stop_clock() noexcept;

/// Calls the interrupted system call again where the signal of Clock::timer ended it; to be called
/// by the handler with its third argument. Such a call has only begun: a thread that waits uses no
/// computing time.
void resume_call(void* context) noexcept;

}  // namespace kith::sharing
