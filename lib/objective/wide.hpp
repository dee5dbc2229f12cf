// 128-bit numbers for exact sums.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace kith {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

/// Throws Error (input) naming `what` ("hop-bytes") when `value` exceeds 64 bits.
std::uint64_t narrowed(Wide value, std::string_view what);

inline double to_double(Wide value) {
  return static_cast<double>(value);
}

}  // namespace kith
