#include "values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/parse_number.hpp"
#include "core/suggest.hpp"
#include "kith/error.hpp"

namespace kith::tools {

std::uint64_t parse_number(std::string_view text, std::string_view option, std::uint64_t least,
                           std::uint64_t most) {
  const auto value = parse_unsigned(text);
  if (value && *value >= least && *value <= most) return *value;
  throw bad_input(option, fmt::format("a whole number from {} to {}", least, most),
                  fmt::format("'{}'", text));
}

std::uint32_t parse_number32(std::string_view text, std::string_view option, std::uint32_t least,
                             std::uint32_t most) {
  return static_cast<std::uint32_t>(parse_number(text, option, least, most));
}

double parse_seconds(std::string_view text, std::string_view option) {
  const auto value = parse_real(text);
  if (value && *value > 0) return *value;
  throw bad_input(option, "seconds, more than 0", fmt::format("'{}'", text));
}

std::size_t parse_choice(std::string_view text, std::string_view option,
                         const std::vector<std::string>& choices) {
  const auto found = std::ranges::find(choices, text);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  throw bad_input(option,
                  fmt::format("one of {}{}", fmt::join(choices, ", "), did_you_mean(text, choices)),
                  fmt::format("'{}'", text));
}

}  // namespace kith::tools
