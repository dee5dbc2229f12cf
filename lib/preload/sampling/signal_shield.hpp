// The program does not see the signal of the sampling, and may have it for itself.
#pragma once

namespace kith::preload {

/// In libraries that are loaded now: sigaction() and signal() on the signal first call
/// `give_up`, which puts its default back; sigwait() and its relatives do not return it.
void shield_signal(int number, void (*give_up)()) noexcept;

}  // namespace kith::preload
