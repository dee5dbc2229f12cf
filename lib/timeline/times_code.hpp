// The times of a stream's positions in few bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "timeline/byte_reader.hpp"
#include "timeline/stream.hpp"

namespace kith {
class Packer;
}

namespace kith::timeline {

// Times in 16 bits: 64 powers of two, from 2^-8 to 2^56 ns, with ten more bits.

/// The top 16 bits that matter of a double: within 2^-11 (0.05%) of the value. 0 is 0, and all that
/// is below 2^-8; what is above 2^56 (two years in ns) becomes the largest. Larger values have
/// larger codes, and codes of values in one ratio are about evenly apart (1024 a power of two).
constexpr std::uint16_t short_float(double value) {
  constexpr std::uint64_t dropped = 42;  // of a double's 52 bits
  constexpr std::uint64_t lowest = (std::uint64_t{1023} - 8) << 10U;
  if (!(value >= 1.0 / 256)) return 0;
  const std::uint64_t rounded =
      (std::bit_cast<std::uint64_t>(value) + (std::uint64_t{1} << (dropped - 1))) >> dropped;
  const std::uint64_t code = rounded - lowest + 1;
  return static_cast<std::uint16_t>(code < 0xFFFF ? code : 0xFFFF);
}

constexpr double value_of_short_float(std::uint16_t code) {
  constexpr std::uint64_t lowest = (std::uint64_t{1023} - 8) << 10U;
  if (code == 0) return 0;
  return std::bit_cast<double>((std::uint64_t{code} - 1 + lowest) << 42U);
}

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
  std::uint16_t asleep = 0;  ///< mean
  bool has_first = false;
  std::uint16_t first_before = 0;
  std::uint16_t first_inside = 0;
  std::uint16_t first_asleep = 0;
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
