#include "report/plain_text.hpp"

#include <fmt/format.h>

#include <array>

namespace kith {

std::string short_bytes(std::uint64_t bytes) {
  static constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes == 1) return "1 byte";
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double scaled = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (scaled >= 1024 && unit + 1 < units.size()) {
    scaled /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", scaled, units[unit]);
}

std::string short_percent(double part) {
  const double percent = 100 * part;
  if (percent != 0 && percent < 0.1) return "less than 0.1%";
  return percent < 9.95 ? fmt::format("{:.2g}%", percent) : fmt::format("{:.0f}%", percent);
}

}  // namespace kith
