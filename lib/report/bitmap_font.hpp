// Letters of 5 x 7 dots, so that pictures look the same wherever they are made.
#pragma once

#include <array>
#include <cstdint>

namespace kith {

inline constexpr std::uint32_t glyph_width = 5;
inline constexpr std::uint32_t glyph_height = 7;

/// Rows from the top, the leftmost dot in bit 4. Anything but printable ASCII is a question mark.
const std::array<std::uint8_t, glyph_height>& glyph_of(char character);

}  // namespace kith
