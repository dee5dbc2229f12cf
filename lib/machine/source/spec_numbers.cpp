#include "machine/source/spec_numbers.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "core/parse_number.hpp"
#include "kith/error.hpp"

namespace kith {

std::vector<std::uint32_t> parse_arities(std::string_view text, const std::string& expected,
                                         const SpecRequest& request) {
  std::vector<std::uint32_t> arities;
  for (const std::string_view part : split(text, 'x')) {
    const auto value = parse_unsigned(part);
    if (!value || *value == 0 || *value > max_index_count) {
      throw bad_input(request.option, expected, "\"" + request.spec + "\"");
    }
    arities.push_back(static_cast<std::uint32_t>(*value));
  }
  return arities;
}

NetworkBody split_network_body(const SpecRequest& request) {
  const auto slash = request.body.find('/');
  NetworkBody body{request.body.substr(0, slash), {}};
  if (slash != std::string_view::npos) {
    body.node_arities = parse_arities(request.body.substr(slash + 1),
                                      "behind / the tree in each node, such as 2x8", request);
  }
  return body;
}

namespace {

constexpr std::uint64_t most_units = std::numeric_limits<std::int64_t>::max();
constexpr unsigned most_fraction = 18;

std::optional<std::uint64_t> times_power_of_ten(std::uint64_t units, unsigned power) {
  if (units == 0) return 0;
  for (; power > 0; --power) {
    if (units > most_units / 10) return std::nullopt;
    units *= 10;
  }
  return units;
}

/// The exponent behind 'e' or 'E', within what can matter.
std::optional<int> parse_exponent(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto value = parse_unsigned(text);
  if (!value) return std::nullopt;
  constexpr std::uint64_t beyond_all = 1000;
  const int size = static_cast<int>(std::min(*value, beyond_all));
  return negative ? -size : size;
}

bool digits_only(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// digits x 10^-fraction with a fraction that may be negative.
ParsedDecimal normalized(std::string_view digits, int fraction) {
  constexpr ParsedDecimal too_long{ParsedDecimal::Outcome::too_long, {}};
  const auto first = digits.find_first_not_of('0');
  if (first == std::string_view::npos) return {ParsedDecimal::Outcome::number, {}};
  digits.remove_prefix(first);
  while (digits.ends_with('0')) {
    digits.remove_suffix(1);
    --fraction;
  }
  const auto value = parse_unsigned(digits);
  if (!value || *value > most_units || fraction > static_cast<int>(most_fraction)) return too_long;
  if (fraction >= 0) {
    return {ParsedDecimal::Outcome::number, {*value, static_cast<unsigned>(fraction)}};
  }
  const auto whole = times_power_of_ten(*value, static_cast<unsigned>(-fraction));
  return whole ? ParsedDecimal{ParsedDecimal::Outcome::number, {*whole, 0}} : too_long;
}

}  // namespace

ParsedDecimal parse_exact_decimal(std::string_view text, DecimalSyntax syntax) {
  int exponent = 0;
  const auto mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    const auto parsed = parse_exponent(text.substr(mark + 1));
    if (syntax == DecimalSyntax::plain || !parsed) return {};
    exponent = *parsed;
    text = text.substr(0, mark);
  }
  const auto point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  if (!digits_only(whole) || !digits_only(fraction) || whole.size() + fraction.size() == 0) {
    return {};
  }
  constexpr std::size_t longest = 1000;
  if (whole.size() + fraction.size() > longest) return {ParsedDecimal::Outcome::too_long, {}};
  std::string digits(whole);
  digits += fraction;
  return normalized(digits, static_cast<int>(fraction.size()) - exponent);
}

bool CommonScale::refine(unsigned fraction) {
  if (fraction <= fraction_) return true;
  const unsigned power = fraction - fraction_;
  if (!times_power_of_ten(largest_, power)) return false;
  std::uint64_t factor = 1;
  for (unsigned i = 0; i < power; ++i) factor *= 10;
  for (std::uint64_t& units : units_) units *= factor;
  largest_ *= factor;
  scale_ *= factor;
  fraction_ = fraction;
  return true;
}

std::optional<std::uint64_t> CommonScale::units_of(Decimal value) const {
  if (value.fraction > fraction_) return std::nullopt;
  return times_power_of_ten(value.digits, fraction_ - value.fraction);
}

bool CommonScale::set(std::size_t i, Decimal value) {
  if (value.fraction < fraction_ && !units_of(value)) return false;
  if (!refine(value.fraction)) return false;
  units_[i] = *units_of(value);
  largest_ = std::max(largest_, units_[i]);
  return true;
}

bool CommonScale::add(Decimal value) {
  units_.push_back(0);
  if (set(units_.size() - 1, value)) return true;
  units_.pop_back();
  return false;
}

}  // namespace kith
