// What the threads of a program share, found by looking now and then at what each is about to
// touch: for programs as they are.
#pragma once

#include <cstdint>
#include <string>

namespace kith::preload {

/// The program sees each access by itself, and needs no samples.
bool libkith_accesses_is_there() noexcept;

/// From now on threads are sampled that call sample_this_thread(). The calling thread is number 0.
/// Empty, else why they cannot be sampled.
std::string start_sampling();

/// Whether threads are to call sample_this_thread(). Any thread, any time.
bool is_sampling() noexcept;

/// The calling thread, by its number, until it ends.
void sample_this_thread(int number) noexcept;

/// Finds libraries that were loaded since: their use of the signal, and which are MPI's or OpenMP's
/// own, whose accesses do not count.
void look_at_libraries() noexcept;

/// No thread is sampled any more, in this process.
void end_sampling() noexcept;

/// The same, and the signal is as before start_sampling(): another library will sample.
void retire_sampling() noexcept;
/// In a child: it has no clocks.
void forget_sampling() noexcept;

/// The matrix as text, with the number of samples and the size of the lines in its second line;
/// empty where nothing was sampled or fewer than two threads were seen. First end_sampling().
std::string sampled_matrix();

/// Of all threads; 0: nothing was seen.
std::uint64_t samples_taken();

}  // namespace kith::preload
