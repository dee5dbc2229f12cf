// The times of a stream's positions in few bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "timeline/byte_reader.hpp"
#include "timeline/stream.hpp"

namespace kith {
class Packer;
}

namespace kith::timeline {

/// A TimeSummary rounded: the mean as a short_float(); the others with three bits less (within
/// 2^-8, 0.4%), and as steps from the mean's.
struct SummaryCode {
  std::uint16_t mean = 0;
  std::int16_t below = 0;   ///< least, in steps below the mean
  std::int16_t above = 0;   ///< largest, above
  std::int16_t spread = 0;  ///< standard deviation, below
  bool operator==(const SummaryCode&) const = default;
};

/// A PositionTimes rounded.
struct PositionCode {
  std::uint64_t timed = 0;
  SummaryCode before;
  SummaryCode inside;
  bool has_first = false;
  std::uint16_t first_before = 0;
  std::uint16_t first_inside = 0;
  bool operator==(const PositionCode&) const = default;
};

PositionCode rounded(const PositionTimes& times);
PositionTimes times_of(const PositionCode& code);

/// Writes their number and each but the empty one at the front, as differences to the same
/// position of `reference`; without a reference, to the position before.
void put_times(Packer& out, std::span<const PositionCode> times,
               std::span<const PositionCode> reference);
std::vector<PositionCode> get_times(ByteReader& in, std::span<const PositionCode> reference);

}  // namespace kith::timeline
