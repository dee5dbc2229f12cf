// Which thread touched a line of memory after which.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sharing/line_table.hpp"

namespace kith::accesses {

using sharing::most_threads;

// The calling thread has read or written `size` bytes from `address` on. Lock-free; the order in
// which threads touch a line at the same time is any.
void note_read(const volatile void* address, std::size_t size) noexcept;
void note_write(const volatile void* address, std::size_t size) noexcept;

/// Threads 0 to the highest that has touched anything.
std::uint32_t threads_seen() noexcept;
/// How often thread `after` touched a line after thread `before`, where one of the two wrote it
/// (see LineTable); by their numbers.
std::uint64_t count_of(std::uint32_t before, std::uint32_t after) noexcept;
/// Accesses by threads beyond most_threads.
bool some_were_not_counted() noexcept;

}  // namespace kith::accesses
