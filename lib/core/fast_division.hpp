// Division of 32-bit numbers by one that stays the same, without a division.
#pragma once

#include <cstdint>
#include <limits>

namespace kith {

/// Lemire, Kaser, Kurz: Faster remainder by direct computation, Software: Practice and Experience
/// 49(6), 2019: the high half of n x ceil(2^64 / d) is n / d for all n, d below 2^32.
class FastDivisor {
 public:
  FastDivisor() = default;
  /// `divisor` at least 2.
  explicit FastDivisor(std::uint32_t divisor)
      : inverse_(std::numeric_limits<std::uint64_t>::max() / divisor + 1) {}

  std::uint32_t quotient(std::uint32_t number) const {
    __extension__ using Product = unsigned __int128;
    return static_cast<std::uint32_t>(Product{inverse_} * number >> 64);
  }

 private:
  std::uint64_t inverse_ = 0;
};

}  // namespace kith
