// Text for readers: numbers that are understood at a glance, names without controls of direction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kith {

/// "54.8 MiB", "812 bytes".
std::string short_bytes(std::uint64_t bytes);

/// "42%", "0.5%": `part` of `whole` = 1 in percent, two digits at most where it is below 10.
std::string short_percent(double part);

/// Bytes of the bidirectional control (Unicode's property Bidi_Control: U+061C, U+200E, U+200F,
/// U+202A to U+202E, U+2066 to U+2069) that the UTF-8 `text` begins with; 0 where it begins with
/// none. A name with one of them would be shown in another order than it has, and so would what
/// stands beside it.
constexpr std::size_t direction_control_bytes(std::string_view text) {
  if (text.starts_with("\xD8\x9C")) return 2;
  if (text.size() < 3) return 0;
  const auto last = static_cast<unsigned char>(text[2]);
  const bool is_mark = text.starts_with("\xE2\x80") &&
                       (last == 0x8E || last == 0x8F || (last >= 0xAA && last <= 0xAE));
  const bool is_isolate = text.starts_with("\xE2\x81") && last >= 0xA6 && last <= 0xA9;
  return is_mark || is_isolate ? 3 : 0;
}

}  // namespace kith
