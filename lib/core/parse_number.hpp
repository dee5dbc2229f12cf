// Numbers from text, whole and checked.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kith {

/// The whole of `text` as an unsigned number; nothing for signs, blanks, garbage or overflow.
inline std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return value;
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

}  // namespace kith
