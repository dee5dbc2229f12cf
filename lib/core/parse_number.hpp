// Numbers from text, whole and checked.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kith {

/// The whole of `text` as an unsigned number; nothing for signs, blanks, garbage or overflow.
inline std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return value;
}

/// The whole of `text` as digits with an optional fraction ("12", "0.5"), to double precision. For
/// the preload library, where std::from_chars for reals would bring in libm.
inline std::optional<double> parse_decimal(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  if (text.substr(0, point).empty() || (point != std::string_view::npos && fraction.empty())) {
    return std::nullopt;
  }
  double value = 0;
  double scale = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == point) continue;
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
    if (point < i) scale *= 10;
  }
  return value / scale;
}

/// The whole of `text` as a finite decimal number.
inline std::optional<double> parse_real(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  if (!(value - value == 0)) return std::nullopt;
  return value;
}

/// The pieces between separators, at least one, in order; views into `text`.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace kith
