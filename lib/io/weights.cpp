#include "io/weights.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace kith {
namespace {

/// (-)digits x 10^exponent, without leading or trailing zeros in `digits`.
struct Decimal {
  bool negative = false;
  std::string digits;
  long exponent = 0;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// "12", "-1.5", ".5", "1e3", "1.0D+03". Nothing for any other text.
std::optional<Decimal> split_decimal(std::string_view text) {
  Decimal number;
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) number.negative = text[at++] == '-';
  bool any = false;
  bool after_point = false;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !after_point)); ++at) {
    if (text[at] == '.') {
      after_point = true;
      continue;
    }
    any = true;
    number.digits += text[at];
    number.exponent -= after_point;
  }
  if (!any) return std::nullopt;
  if (at < text.size()) {
    constexpr std::string_view exponent_signs = "eEdD";
    if (exponent_signs.find(text[at]) == std::string_view::npos) return std::nullopt;
    ++at;
    if (at + 1 < text.size() && text[at] == '+' && is_digit(text[at + 1])) ++at;
    int exponent = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + at, end, exponent);
    if (stop != end || error != std::errc{} || at == text.size()) return std::nullopt;
    number.exponent += exponent;
  }
  number.digits.erase(0, std::min(number.digits.find_first_not_of('0'), number.digits.size()));
  while (!number.digits.empty() && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  return number;
}

std::optional<Weight> whole_value(const Decimal& number) {
  constexpr long most_digits = std::numeric_limits<Weight>::digits10 + 1;
  if (static_cast<long>(number.digits.size()) > most_digits ||
      number.exponent > most_digits - static_cast<long>(number.digits.size())) {
    return std::nullopt;
  }
  Weight value = 0;
  const std::string all =
      number.digits + std::string(static_cast<std::size_t>(number.exponent), '0');
  for (const char digit : all) {
    if (__builtin_mul_overflow(value, Weight{10}, &value) ||
        __builtin_add_overflow(value, static_cast<Weight>(digit - '0'), &value)) {
      return std::nullopt;
    }
  }
  return value;
}

}  // namespace

Weight read_real_weight(const LineReader& in, std::string_view word) {
  if (word.empty()) throw in.error("a weight", "the end of the line");
  const auto number = split_decimal(word);
  if (!number) throw in.error("a weight", in_quotes(word));
  if (number->digits.empty()) return 0;
  if (number->negative) throw in.error("a weight of at least 0", in_quotes(word));
  if (number->exponent < 0) {
    const long places = -number->exponent;
    throw in.error("a whole number (scale the matrix first: multiply every value by " +
                       (places <= 18 ? "1" + std::string(static_cast<std::size_t>(places), '0')
                                     : "1e" + std::to_string(places)) +
                       ")",
                   in_quotes(word));
  }
  const auto value = whole_value(*number);
  if (!value) throw in.error("a weight below 2^64", in_quotes(word));
  return *value;
}

std::uint32_t read_rank_count(const LineReader& in, std::string_view word, std::string_view what) {
  // A rank that no line mentions needs memory and no bytes of the file; so many are allowed.
  constexpr std::uint64_t always_allowed = std::uint64_t{1} << 24;
  const std::uint64_t limit =
      std::min(max_index_count, std::max(always_allowed, in.bytes().value_or(0)));
  const std::uint64_t ranks = read_count(in, word, what, limit);
  if (ranks == 0) throw in.error(std::string(what) + " of at least 1", "0");
  return static_cast<std::uint32_t>(ranks);
}

}  // namespace kith
