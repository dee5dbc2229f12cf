// How a row's counters lie in memory, and in the file that outlives a killed process.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace kith {

/// What one thread sent to one peer. The owning thread alone writes (relaxed load and store, never
/// a read-modify-write); others read when they gather. Lock-free atomics: the same bytes in a file.
struct RowEntry {
  std::atomic<std::uint64_t> messages;
  std::array<std::atomic<std::uint64_t>, 3> bytes;  ///< point-to-point, collective, one-sided
  std::uint32_t peer;

  void add(std::size_t traffic_class, std::uint64_t more_bytes) {
    auto& sum = bytes[traffic_class];
    sum.store(sum.load(std::memory_order_relaxed) + more_bytes, std::memory_order_relaxed);
    messages.store(messages.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(sizeof(RowEntry) == 40);

/// Which way the bytes of a block's entries went.
enum class RowDirection : std::uint32_t {
  sent = 1,     ///< from this rank to the peer
  fetched = 2,  ///< from the peer to this rank, by gets
};

/// In front of a block of entries.
struct RowBlock {
  RowDirection direction;
  std::uint32_t capacity;           ///< entries that fit
  std::atomic<std::uint32_t> used;  ///< the first `used` entries are valid
  std::uint32_t unused;

  RowEntry* entries() { return reinterpret_cast<RowEntry*>(this + 1); }
  const RowEntry* entries() const { return reinterpret_cast<const RowEntry*>(this + 1); }
};
static_assert(sizeof(RowBlock) == 16);

}  // namespace kith
