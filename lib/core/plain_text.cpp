#include "core/plain_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace kith {
namespace {

std::string with_decimals(double number, int decimals) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                 std::chars_format::fixed, decimals);
  return {digits.data(), end.ptr};
}

std::string with_digits(double number, int count) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                 std::chars_format::general, count);
  return {digits.data(), end.ptr};
}

}  // namespace

std::string number_of(std::uint64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string short_bytes(std::uint64_t bytes) {
  static constexpr std::array units{" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  if (bytes == 1) return "1 byte";
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  double scaled = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (scaled >= 1024 && unit + 1 < units.size()) {
    scaled /= 1024;
    ++unit;
  }
  return with_decimals(scaled, 1) + units[unit];
}

std::string short_percent(double part) {
  const double percent = 100 * part;
  if (percent != 0 && percent < 0.1) return "less than 0.1%";
  if (percent >= 99.5 && percent < 100) return "more than 99%";
  return (percent < 9.95 ? with_digits(percent, 2) : with_decimals(percent, 0)) + "%";
}

std::string short_seconds(double seconds) {
  if (seconds >= 100) return with_decimals(seconds, 0) + " s";
  if (seconds >= 1) return with_digits(seconds, 3) + " s";
  if (seconds >= 1e-3 || seconds <= 0) return with_digits(1e3 * seconds, 3) + " ms";
  return with_digits(1e6 * seconds, 3) + " us";
}

std::string short_bit_rate(double megabytes_per_s) {
  const double megabits = 8 * megabytes_per_s;
  if (megabits >= 1000) return with_digits(1e-3 * megabits, 3) + " Gbit/s";
  return with_digits(megabits, 3) + " Mbit/s";
}

}  // namespace kith
