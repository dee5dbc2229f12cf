// Which thread touched a piece of memory after which.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kith::sharing {

/// Threads that are told apart; further ones are not counted.
inline constexpr std::uint32_t most_threads = 1024;

/// Memory is shared by lines of 64 bytes, as processors move it.
inline constexpr unsigned line_bits = 6;

/// What threads did to each line, and how often one touched a line after another one where one of
/// the two wrote: thread j reads for the first time what i wrote last (i, j), or j writes what i
/// has read since it was written, or wrote last (i, j). Threads that only read a line, one after
/// the other, do not share it: each cache has a copy. Of threads beyond the first 128 such a pair
/// may be missed.
///
/// Lock-free; threads that touch a line at the same time come in any order. 8 MiB, and 24 bytes for
/// each line of pages that are touched; never freed.
class LineTable {
 public:
  constexpr LineTable() = default;

  /// `thread`: below most_threads.
  void touch(std::uintptr_t address, std::size_t size, std::uint32_t thread,
             bool is_write) noexcept {
    const std::uintptr_t last = (address + (size == 0 ? 0 : size - 1)) >> line_bits;
    for (std::uintptr_t number = address >> line_bits; number <= last; ++number) {
      Line* const line = line_of(number);
      if (line == nullptr) return;
      if (is_write) {
        write(*line, thread);
      } else {
        read(*line, thread);
      }
    }
  }

  /// How often thread `after` touched a line after thread `before`, as above.
  std::uint64_t count(std::uint32_t before, std::uint32_t after) const noexcept {
    return counts_[after][before];
  }

 private:
  static constexpr std::uint32_t readers_per_word = 64;

  struct Line {
    std::atomic<std::uint64_t> readers[2];  ///< since it was written: a bit for each
    std::atomic<std::uint16_t> writer;      ///< 1 + the last one; 0: none
  };

  static constexpr unsigned address_bits = 47;  // of a user's addresses
  static constexpr unsigned region_bits = 22;
  static constexpr std::size_t lines_per_region = std::size_t{1} << (region_bits - line_bits);
  static constexpr std::size_t regions = std::size_t{1} << (address_bits - region_bits);
  static constexpr std::size_t regions_per_part = std::size_t{1} << 13U;

  /// Of the lines of a region, and of the regions of a part of the address space. Made when they
  /// are needed.
  struct Part {
    std::atomic<Line*> regions[regions_per_part];
  };

  /// What `place` points to, made of zeros if it is not there; null without memory.
  template <class Made>
  static Made* made(std::atomic<Made*>& place, std::size_t bytes) noexcept {
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

  /// Null without memory, and for addresses that are no user's.
  Line* line_of(std::uintptr_t number) noexcept {
    const std::uintptr_t region = number >> (region_bits - line_bits);
    if (region >= regions) return nullptr;
    Part* const part = made(parts_[region / regions_per_part], sizeof(Part));
    if (part == nullptr) return nullptr;
    Line* const of_region =
        made(part->regions[region % regions_per_part], lines_per_region * sizeof(Line));
    if (of_region == nullptr) return nullptr;
    return &of_region[number % lines_per_region];
  }

  void read(Line& line, std::uint32_t thread) noexcept {
    std::atomic<std::uint64_t>& readers = line.readers[thread / readers_per_word % 2];
    const std::uint64_t self = std::uint64_t{1} << thread % readers_per_word;
    const std::uint32_t writer = line.writer.load(std::memory_order_relaxed);
    if (writer == thread + 1 || (readers.load(std::memory_order_relaxed) & self) != 0) return;
    readers.fetch_or(self, std::memory_order_relaxed);
    if (writer != 0) ++counts_[thread][writer - 1];
  }

  void write(Line& line, std::uint32_t thread) noexcept {
    const auto self = static_cast<std::uint16_t>(thread + 1);
    const bool was_read = line.readers[0].load(std::memory_order_relaxed) != 0 ||
                          line.readers[1].load(std::memory_order_relaxed) != 0;
    if (!was_read && line.writer.load(std::memory_order_relaxed) == self) return;
    const std::uint16_t before = line.writer.exchange(self, std::memory_order_relaxed);
    if (before != 0 && before != self) ++counts_[thread][before - 1];
    if (!was_read) return;
    for (std::uint32_t word = 0; word < 2; ++word) {
      std::uint64_t readers = line.readers[word].exchange(0, std::memory_order_relaxed);
      for (; readers != 0; readers &= readers - 1) {
        const std::uint32_t reader =
            word * readers_per_word + static_cast<std::uint32_t>(std::countr_zero(readers));
        if (reader != thread && reader + 1 != before) ++counts_[thread][reader];
      }
    }
  }

  std::atomic<Part*> parts_[regions / regions_per_part]{};
  std::uint64_t counts_[most_threads][most_threads]{};  // [after][before]: each thread has its own
};

}  // namespace kith::sharing
