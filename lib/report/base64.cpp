#include "report/base64.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace kith {

std::string base64_of(std::span<const std::uint32_t> numbers) {
  static constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * numbers.size());
  for (const std::uint32_t number : numbers) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::uint8_t>(number >> shift));
    }
  }
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t given = std::min<std::size_t>(bytes.size() - i, 3);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < given ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= given ? alphabet[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

}  // namespace kith
