// The numbers of the program's threads: 0 is the one that runs main, each other has the lowest
// number that was free when it was created.
#pragma once

namespace kith::preload {

/// Makes what the others need; false where the process has no room for it: then no thread has a
/// number.
bool prepare_thread_numbers() noexcept;

// Lock-free; may be called in any thread.

/// Negative: all are taken.
int take_lowest_number() noexcept;
void give_back_number(int number) noexcept;
/// The calling thread has the number, which it gives back when it ends.
void have_number(int number) noexcept;
/// The number of a team's thread takes the place of the one that it had.
void change_number(int number) noexcept;
/// Of the calling thread; negative: none.
int own_number() noexcept;
/// In a child process, which has one thread.
void begin_numbers_again() noexcept;

}  // namespace kith::preload
