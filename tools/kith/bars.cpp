#include "bars.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace kith::tools {
namespace {

/// As near to `eighths` as the characters come; something wherever there is anything.
std::string bar_text(std::size_t eighths, bool has_unicode) {
  static constexpr std::array parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!has_unicode)
    return std::string(eighths == 0 ? 0 : std::max<std::size_t>((eighths + 4) / 8, 1), '#');
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + parts[eighths % 8];
}

}  // namespace

std::string ratio_bar(double ratio, double most, std::size_t columns, const Terminal& terminal) {
  if (columns == 0) return "";
  const double scale = 8 * static_cast<double>(columns) / std::max({most, ratio, 1.0});
  auto eighths = static_cast<std::size_t>(std::llround(ratio * scale));
  if (ratio > 0) eighths = std::max<std::size_t>(eighths, 1);
  std::string text = bar_text(eighths, terminal.has_unicode);
  const std::size_t length = columns_of(text);
  if (ratio < 1) text = painted(terminal, Look::good, text);
  if (ratio > 1) text = painted(terminal, Look::bad, text);
  // The mark stands in the last character of a bar of 1.
  const auto one = std::max<std::size_t>(static_cast<std::size_t>(std::lround(scale / 8)), 1);
  if (length >= one) return text;
  return text + std::string(one - length - 1, ' ') +
         painted(terminal, Look::faint, terminal.has_unicode ? "│" : "|");
}

}  // namespace kith::tools
