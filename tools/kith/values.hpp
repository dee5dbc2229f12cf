// Option values: text in, checked values out. All throw Error (input) naming the option.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace kith::tools {

/// A whole number from `least` to `most`.
std::uint64_t parse_number(std::string_view text, std::string_view option, std::uint64_t least = 0,
                           std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// The same for 32-bit values.
std::uint32_t parse_number32(std::string_view text, std::string_view option, std::uint32_t least,
                             std::uint32_t most = std::numeric_limits<std::uint32_t>::max() - 1);

/// Seconds, more than 0.
double parse_seconds(std::string_view text, std::string_view option);

/// One of `choices`; returns its index. Suggests the nearest.
std::size_t parse_choice(std::string_view text, std::string_view option,
                         const std::vector<std::string>& choices);

}  // namespace kith::tools
