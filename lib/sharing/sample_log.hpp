// Accesses of threads that were seen now and then, in the order of time, and what they say of
// sharing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace kith::sharing {

/// What accesses say: by how large lines, and how often thread `second` touched one after thread
/// `first` where one of the two wrote (as LineTable has it).
struct SampledSharing {
  std::size_t line_bytes = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
};

/// Lock-free, also in signal handlers. At most 2 Mi accesses (32 MiB) are kept: of more, as many
/// from each part of the run, chosen at random. Begins as zero bytes, so that memory from mmap()
/// will do; pages are used as they are needed.
class SampleLog {
 public:
  /// The number of a sample, which shows some accesses of a thread at one time.
  std::uint64_t begin_sample() noexcept;
  std::uint64_t samples() const noexcept;

  /// `thread`: below most_threads. Addresses that are no user's are left out.
  void note(std::uint64_t sample, std::uintptr_t address, std::uint32_t thread,
            bool is_write) noexcept;

  /// Of threads 0 to `threads` - 1. Lines are as small as the number of accesses allows: 64 bytes
  /// where each is in eight samples and more on average, else 256, 1024 or 4096; up to 2 MiB where
  /// each thread touches 32 times as much. Throws std::bad_alloc.
  SampledSharing sharing(std::uint32_t threads) const;

 private:
  static constexpr std::size_t most = std::size_t{1} << 21U;

  struct Entry {
    std::atomic<std::uint64_t> access;  ///< line, thread and whether it is a write
    std::atomic<std::uint64_t> sample;
  };

  std::atomic<std::uint64_t> samples_{0};
  std::atomic<std::uint64_t> noted_{0};
  Entry entries_[most]{};
};

}  // namespace kith::sharing
