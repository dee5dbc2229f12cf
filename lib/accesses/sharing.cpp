#include "accesses/sharing.hpp"

#include <sys/mman.h>

#include <atomic>

#include "accesses/thread_numbers.hpp"

namespace kith::accesses {
namespace {

/// Of a line: 1 + the thread that touched it last; 0: none.
using Last = std::atomic<std::uint16_t>;

constexpr unsigned address_bits = 47;  // of a user's addresses
constexpr unsigned region_bits = 22;
constexpr std::size_t lines_per_region = std::size_t{1} << (region_bits - line_bits);
constexpr std::size_t regions = std::size_t{1} << (address_bits - region_bits);
constexpr std::size_t regions_per_part = std::size_t{1} << 13U;

/// Of the lines of a region, and of the regions of a part of the address space. Made when they are
/// needed.
struct Part {
  std::atomic<Last*> regions[regions_per_part];
};
constinit std::atomic<Part*> parts[regions / regions_per_part];
// Zero pages until they are used.
constinit std::uint64_t counts[most_threads]
                              [most_threads];  // [after][before]: each thread has its own
constinit std::atomic<bool> has_touched[most_threads];
constinit thread_local bool this_has_touched = false;
constinit std::atomic<bool> is_too_many{false};

/// What `place` points to, made of zeros if it is not there; null without memory.
template <class Made>
Made* made(std::atomic<Made*>& place, std::size_t bytes) noexcept {
  Made* found = place.load(std::memory_order_acquire);
  if (found != nullptr) return found;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (place.compare_exchange_strong(found, static_cast<Made*>(memory))) {
    return static_cast<Made*>(memory);
  }
  munmap(memory, bytes);
  return found;
}

void touch_line(std::uintptr_t line, std::uint32_t thread) noexcept {
  const std::uintptr_t region = line >> (region_bits - line_bits);
  if (region >= regions) return;
  Part* const part = made(parts[region / regions_per_part], sizeof(Part));
  if (part == nullptr) return;
  Last* const lines =
      made(part->regions[region % regions_per_part], lines_per_region * sizeof(Last));
  if (lines == nullptr) return;
  Last& last = lines[line % lines_per_region];
  const auto self = static_cast<std::uint16_t>(thread + 1);
  if (last.load(std::memory_order_relaxed) == self) return;
  const std::uint16_t before = last.exchange(self, std::memory_order_relaxed);
  if (before == 0 || before == self) return;
  ++counts[thread][before - 1];
}

}  // namespace

void touch(const volatile void* address, std::size_t size) noexcept {
  const std::uint32_t thread = own_number();
  if (thread >= most_threads) return is_too_many.store(true, std::memory_order_relaxed);
  if (!this_has_touched) {
    this_has_touched = true;
    has_touched[thread].store(true, std::memory_order_relaxed);
  }
  const auto first = reinterpret_cast<std::uintptr_t>(address) >> line_bits;
  const auto last =
      (reinterpret_cast<std::uintptr_t>(address) + (size == 0 ? 0 : size - 1)) >> line_bits;
  for (std::uintptr_t line = first; line <= last; ++line) touch_line(line, thread);
}

std::uint32_t threads_seen() noexcept {
  std::uint32_t threads = most_threads;
  while (threads > 0 && !has_touched[threads - 1].load(std::memory_order_relaxed)) --threads;
  return threads;
}

std::uint64_t count_of(std::uint32_t before, std::uint32_t after) noexcept {
  return counts[after][before];
}

bool some_were_not_counted() noexcept {
  return is_too_many.load();
}

}  // namespace kith::accesses
