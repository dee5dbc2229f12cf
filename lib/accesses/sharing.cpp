#include "accesses/sharing.hpp"

#include <atomic>

#include "accesses/thread_numbers.hpp"
#include "sharing/line_table.hpp"

namespace kith::accesses {
namespace {

// Zero pages until they are used.
constinit sharing::LineTable table;
constinit std::atomic<bool> has_touched[most_threads];
constinit thread_local bool this_has_touched = false;
constinit std::atomic<bool> is_too_many{false};

void touch(const volatile void* address, std::size_t size, bool is_write) noexcept {
  const std::uint32_t thread = own_number();
  if (thread >= most_threads) return is_too_many.store(true, std::memory_order_relaxed);
  if (!this_has_touched) {
    this_has_touched = true;
    has_touched[thread].store(true, std::memory_order_relaxed);
  }
  table.touch(reinterpret_cast<std::uintptr_t>(address), size, thread, is_write);
}

}  // namespace

void note_read(const volatile void* address, std::size_t size) noexcept {
  touch(address, size, false);
}

void note_write(const volatile void* address, std::size_t size) noexcept {
  touch(address, size, true);
}

std::uint32_t threads_seen() noexcept {
  std::uint32_t threads = most_threads;
  while (threads > 0 && !has_touched[threads - 1].load(std::memory_order_relaxed)) --threads;
  return threads;
}

std::uint64_t count_of(std::uint32_t before, std::uint32_t after) noexcept {
  return table.count(before, after);
}

bool some_were_not_counted() noexcept {
  return is_too_many.load();
}

}  // namespace kith::accesses
