// Times in 16 bits: 64 powers of two, from 2^-8 to 2^56 ns, with ten more bits.
#pragma once

#include <bit>
#include <cstdint>

namespace kith::timeline {

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

}  // namespace kith::timeline
