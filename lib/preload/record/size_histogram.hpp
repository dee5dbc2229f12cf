// Messages by size and class of call, one rank.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace kith::record {

/// What the program called. Neighbourhood collectives count as collectives in the matrices.
enum class CallClass : std::uint8_t { p2p, coll, neighbour, rma };
inline constexpr std::size_t call_class_count = 4;
inline constexpr std::array<const char*, call_class_count> call_class_names{"p2p", "coll",
                                                                            "neighbour", "rma"};

/// Sizes by powers of two: bucket 0 holds messages of 0 bytes, bucket k those of 2^(k-1) to 2^k
/// - 1.
inline constexpr std::size_t size_buckets = 65;

inline std::size_t size_bucket(std::uint64_t bytes) {
  return static_cast<std::size_t>(std::bit_width(bytes));
}

/// Plain data: what is gathered.
struct SizeHistogram {
  struct OfClass {
    std::uint64_t bytes = 0;
    std::array<std::uint64_t, size_buckets> messages{};
  };
  std::array<OfClass, call_class_count> classes;
  std::uint64_t foreign_bytes = 0;  ///< to processes outside the job's world
  std::uint64_t foreign_messages = 0;
};

/// One thread's: written by it alone, read by whoever gathers. Valid when zeroed.
struct LiveSizeHistogram {
  struct OfClass {
    std::atomic<std::uint64_t> bytes;
    std::array<std::atomic<std::uint64_t>, size_buckets> messages;
  };
  std::array<OfClass, call_class_count> classes;

  void add(CallClass c, std::uint64_t bytes) {
    OfClass& own = classes[static_cast<std::size_t>(c)];
    increase(own.bytes, bytes);
    increase(own.messages[size_bucket(bytes)], 1);
  }

  void add_to(SizeHistogram& sum) const {
    for (std::size_t c = 0; c < call_class_count; ++c) {
      sum.classes[c].bytes += classes[c].bytes.load(std::memory_order_relaxed);
      for (std::size_t k = 0; k < size_buckets; ++k) {
        sum.classes[c].messages[k] += classes[c].messages[k].load(std::memory_order_relaxed);
      }
    }
  }

 private:
  // A single writer: no read-modify-write, which would cost a locked bus cycle.
  static void increase(std::atomic<std::uint64_t>& value, std::uint64_t by) {
    value.store(value.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }
};

}  // namespace kith::record
