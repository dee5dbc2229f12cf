#include "core/plain_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
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
  return (percent < 9.95 ? with_digits(percent, 2) : with_decimals(percent, 0)) + "%";
}

std::string short_seconds(double seconds) {
  if (seconds >= 100) return with_decimals(seconds, 0) + " s";
  if (seconds >= 1) return with_digits(seconds, 3) + " s";
  if (seconds >= 1e-3 || seconds <= 0) return with_digits(1e3 * seconds, 3) + " ms";
  return with_digits(1e6 * seconds, 3) + " us";
}

std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  if (word.size() < 3 || word.size() > 64) return {};
  std::string_view nearest;
  // An option cut short is no typing mistake: what it begins comes before what merely resembles it.
  if (word.size() > 3) {
    for (const std::string& candidate : known) {
      if (!candidate.starts_with(word)) continue;
      if (nearest.empty() || candidate.size() < nearest.size()) nearest = candidate;
    }
  }
  if (!nearest.empty()) return " (did you mean " + std::string(nearest) + "?)";
  std::size_t least = 1 + word.size() / 3;
  for (const std::string& candidate : known) {
    if (candidate.size() > word.size() + least) continue;  // farther apart than that
    const std::size_t apart = edits_between(word, candidate);
    if (apart < least || (apart == least && nearest.empty())) {
      least = apart;
      nearest = candidate;
    }
  }
  if (nearest.empty()) return {};
  return " (did you mean " + std::string(nearest) + "?)";
}

}  // namespace kith
