#include "sharing/sample_log.hpp"

#include <algorithm>
#include <bitset>
#include <tuple>
#include <vector>

#include "sharing/line_table.hpp"

namespace kith::sharing {
namespace {

constexpr unsigned thread_bits = 10;
static_assert(most_threads == 1U << thread_bits);

struct Access {
  std::uint64_t line = 0;
  std::uint64_t sample = 0;
  std::uint32_t thread = 0;
  bool is_write = false;
};

std::uint64_t packed(std::uintptr_t line, std::uint32_t thread, bool is_write) noexcept {
  return (std::uint64_t{line} << thread_bits | thread) << 1U | (is_write ? 1U : 0U);
}

Access unpacked(std::uint64_t access, std::uint64_t sample) noexcept {
  const auto thread = static_cast<std::uint32_t>(access >> 1U) & (most_threads - 1);
  return {access >> (thread_bits + 1), sample, thread, (access & 1U) != 0};
}

/// Any number, the same for the same one (Steele et al., splitmix64).
std::uint64_t mixed(std::uint64_t number) noexcept {
  number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9U;
  number = (number ^ (number >> 27U)) * 0x94d049bb133111ebU;
  return number ^ (number >> 31U);
}

/// What threads did to one line, in the order of time: the same rules as LineTable's.
class LineHistory {
 public:
  explicit LineHistory(SampledSharing& sharing) : sharing_(sharing) {}

  void clear() {
    writer_ = none;
    readers_.reset();
  }

  void add(const Access& access) {
    if (access.is_write) {
      write(access.thread);
    } else {
      read(access.thread);
    }
  }

 private:
  static constexpr std::uint32_t none = most_threads;

  void read(std::uint32_t thread) {
    if (writer_ == thread || readers_[thread]) return;
    readers_[thread] = true;
    if (writer_ != none) ++sharing_.counts[{writer_, thread}];
  }

  void write(std::uint32_t thread) {
    if (writer_ != none && writer_ != thread) readers_[writer_] = true;
    for (std::uint32_t other = 0; readers_.any() && other < most_threads; ++other) {
      if (readers_[other] && other != thread) ++sharing_.counts[{other, thread}];
      readers_[other] = false;
    }
    writer_ = thread;
  }

  SampledSharing& sharing_;
  std::uint32_t writer_ = none;
  std::bitset<most_threads> readers_;
};

/// In the order of lines of 2^shift times 64 bytes, and of time in each.
void sort_by_line(std::vector<Access>& accesses, unsigned shift) {
  std::ranges::sort(accesses, {}, [shift](const Access& one) {
    return std::tuple(one.line >> shift, one.sample, one.thread, one.is_write);
  });
}

std::uint64_t lines_of(std::vector<Access>& accesses, unsigned shift) {
  sort_by_line(accesses, shift);
  std::uint64_t lines = 0;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (i == 0 || accesses[i].line >> shift != accesses[i - 1].line >> shift) ++lines;
  }
  return lines;
}

/// Whether each line is in some samples, on average. Leaves the accesses in the lines' order.
bool is_seen_often(std::vector<Access>& accesses, unsigned shift) {
  constexpr std::uint64_t often = 8;
  const std::uint64_t lines = lines_of(accesses, shift);
  std::uint64_t times = 0;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const bool is_new = i == 0 || accesses[i].sample != accesses[i - 1].sample ||
                        accesses[i].line >> shift != accesses[i - 1].line >> shift;
    if (is_new) ++times;
  }
  return times >= often * lines;
}

/// How much larger than 64 bytes lines have to be, as a power of two, so that each is in some
/// samples. Larger than pages only where what each thread touches is much larger still, so that few
/// lines hold what belongs to two of them.
unsigned enlargement(std::vector<Access>& accesses, std::uint32_t threads) {
  constexpr unsigned page = 6;
  constexpr unsigned most = 15;
  constexpr std::uint64_t lines_of_each = 32;
  const std::uint64_t pages = lines_of(accesses, page);
  unsigned shift = 0;
  while (!is_seen_often(accesses, shift)) {
    const unsigned next = shift < page ? shift + 2 : shift + 1;
    if (next > most) break;
    if (next > page && pages < (lines_of_each * threads) << (next - page)) break;
    shift = next;
  }
  return shift;
}

}  // namespace

std::uint64_t SampleLog::begin_sample() noexcept {
  return samples_.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t SampleLog::samples() const noexcept {
  return samples_.load(std::memory_order_relaxed);
}

void SampleLog::note(std::uint64_t sample, std::uintptr_t address, std::uint32_t thread,
                     bool is_write) noexcept {
  constexpr unsigned address_bits = 47;
  if (address >> address_bits != 0 || thread >= most_threads) return;
  const std::uint64_t number = noted_.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t place = number < most ? number : mixed(number) % number;
  if (place >= most) return;
  entries_[place].access.store(packed(address >> line_bits, thread, is_write),
                               std::memory_order_relaxed);
  entries_[place].sample.store(sample, std::memory_order_relaxed);
}

SampledSharing SampleLog::sharing(std::uint32_t threads) const {
  std::vector<Access> accesses;
  const auto kept = static_cast<std::size_t>(std::min<std::uint64_t>(most, noted_.load()));
  accesses.reserve(kept);
  for (std::size_t i = 0; i < kept; ++i) {
    accesses.push_back(unpacked(entries_[i].access.load(), entries_[i].sample.load()));
  }
  const unsigned shift = enlargement(accesses, threads);
  sort_by_line(accesses, shift);
  SampledSharing found;
  found.line_bytes = std::size_t{1} << (line_bits + shift);
  LineHistory history(found);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (i == 0 || accesses[i].line >> shift != accesses[i - 1].line >> shift) history.clear();
    history.add(accesses[i]);
  }
  return found;
}

}  // namespace kith::sharing
