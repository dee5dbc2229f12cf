// Which thread touched a line of memory after which.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kith::accesses {

/// Memory is shared by lines of 64 bytes, as processors move it.
inline constexpr unsigned line_bits = 6;
/// Threads that are told apart; further ones are not counted.
inline constexpr std::uint32_t most_threads = 1024;

/// The calling thread has touched `size` bytes from `address` on. Lock-free; the order in which
/// threads touch a line at the same time is any.
void touch(const volatile void* address, std::size_t size) noexcept;

/// Threads 0 to the highest that has touched anything.
std::uint32_t threads_seen() noexcept;
/// How often thread `after` touched a line that thread `before` had touched last; by their numbers.
std::uint64_t count_of(std::uint32_t before, std::uint32_t after) noexcept;
/// Accesses by threads beyond most_threads.
bool some_were_not_counted() noexcept;

}  // namespace kith::accesses
