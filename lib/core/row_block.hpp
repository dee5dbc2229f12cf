// How a row's counters lie in memory, and in the file that outlives a killed process.
//
// A row file is a header, then blocks. It is cut into chunks: no block begins in one chunk and ends
// in another, but that one too large for a chunk begins at a chunk's begin and fills whole chunks.
// What is left of a chunk behind its last block is zero. Numbers are as in memory: of the machine
// that wrote them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
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

inline constexpr std::uint32_t row_block_magic = 0x4B42574B;

/// In front of a block of entries.
struct RowBlock {
  std::atomic<std::uint32_t> magic;  ///< row_block_magic once the rest is valid
  RowDirection direction;
  std::uint32_t capacity;           ///< entries that fit
  std::atomic<std::uint32_t> used;  ///< the first `used` entries are valid

  RowEntry* entries() { return reinterpret_cast<RowEntry*>(this + 1); }
  const RowEntry* entries() const { return reinterpret_cast<const RowEntry*>(this + 1); }

  static std::size_t bytes(std::uint32_t capacity) {
    return sizeof(RowBlock) + std::size_t{capacity} * sizeof(RowEntry);
  }
};
static_assert(sizeof(RowBlock) == 16);

inline constexpr std::array<char, 8> row_file_magic{'k', 'i', 't', 'h', 'r', 'o', 'w', 's'};
inline constexpr std::uint32_t row_file_version = 1;
inline constexpr std::size_t row_chunk_bytes = std::size_t{64} << 10;

/// At the begin of a row file.
struct RowFileHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t rank;                     ///< whose row; of the program's world
  std::uint32_t ranks;                    ///< how many there are
  std::atomic<std::uint32_t> incomplete;  ///< not 0: later blocks found no place in the file
  std::uint64_t run;                      ///< as in the meta.json beside it
};
static_assert(sizeof(RowFileHeader) == 32);

}  // namespace kith
