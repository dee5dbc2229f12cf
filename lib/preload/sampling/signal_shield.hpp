// The program does not see the signal of the sampling, and may have it for itself.
#pragma once

#include <signal.h>

namespace kith::preload {

/// The program thinks that the signal is as it was: `before`, the default or ignored, which is the
/// same for it. Where it sets a handler of its own, `give_up` is called first with what it thinks
/// is there, to put that back. sigwait() and its relatives do not return the signal.
void shield_signal(int number, sighandler_t before, void (*give_up)(sighandler_t)) noexcept;

/// The same in libraries that were loaded since.
void shield_new_libraries() noexcept;

/// The signal is the program's.
void end_shield() noexcept;

}  // namespace kith::preload
