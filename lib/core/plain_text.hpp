// Text for readers: numbers that are understood at a glance, names without controls of direction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kith {

/// "54.8 MiB", "812 bytes".
std::string short_bytes(std::uint64_t bytes);

/// "42%", "0.5%": `part` of `whole` = 1 in percent, two digits at most where it is below 10.
std::string short_percent(double part);

/// "16 ranks", "1 rank": `what` is the singular.
std::string number_of(std::uint64_t count, std::string_view what);

/// "12.3 s", "4.5 ms", "6.7 us".
std::string short_seconds(double seconds);

/// "10 Gbit/s", "20 Mbit/s": of so many MB/s.
std::string short_bit_rate(double megabytes_per_s);

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

/// Bytes of the UTF-8 character at the start of `text`, by its first byte; 0 where what should
/// continue it does not.
inline std::size_t utf8_character_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80                    ? 1
                             : lead >= 0xC2 && lead <= 0xDF ? 2
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  }
  return length;
}

/// `text` on one line that does nothing to a terminal: each control character (C0, DEL, C1 in
/// UTF-8 or alone, and those of the direction of text) replaced by a blank.
inline std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_character_bytes(text.substr(i));
    const auto code = static_cast<unsigned char>(text[i]);
    const bool c1_alone = length == 0 && code >= 0x80 && code < 0xA0;
    const bool c1 = length == 2 && code == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    const bool direction = direction_control_bytes(text.substr(i)) > 0;
    if (code < 0x20 || code == 0x7F || c1_alone || c1 || direction) {
      out += ' ';
    } else {
      out += text.substr(i, std::max<std::size_t>(length, 1));
    }
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace kith
