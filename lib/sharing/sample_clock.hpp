// A signal to a thread at ticks of the kernel at which it computes.
#pragma once

namespace kith::sharing {

/// The signal. Its default is to be ignored, so that one that comes late does no harm; debuggers
/// pass it on; and no more than one waits for a thread.
int sample_signal() noexcept;

/// Prepares what start_clock() needs; once for a process. False where it has no room for a
/// thread-specific key.
bool prepare_clocks() noexcept;

/// From now on the calling thread gets sample_signal() at each tick (1 to 10 ms) at which it
/// computes. It ends with the thread, with stop_clock() and with exec(); a child has none. The tick
/// comes anyway, so that a signal costs little, and on Linux 5.9 and later no system call ends
/// early: the signal is made when the thread goes back to its own code. False where the system
/// gives no timer, or 1024 threads have one.
bool start_clock() noexcept;
/// May be called in a signal handler.
void stop_clock() noexcept;
/// Those of all threads of the process.
void stop_all_clocks() noexcept;
/// In a child, which has none.
void forget_clocks() noexcept;

/// On older systems: calls the interrupted system call again where the signal ended it; to be
/// called by the handler with its third argument. Such a call has only begun: a thread that waits
/// uses no computing time.
void resume_call(void* context) noexcept;

}  // namespace kith::sharing
