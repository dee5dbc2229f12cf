// Numbers in the specification of a machine: lists of arities, decimals as integers of one scale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/sources.hpp"

namespace kith {

/// digits / 10^fraction, no zero at the end of the fraction.
struct Decimal {
  std::uint64_t digits = 0;
  unsigned fraction = 0;
};

enum class DecimalSyntax { plain, with_exponent };

/// "12", ".5", "2.50"; with_exponent also "1.25e+02".
struct ParsedDecimal {
  enum class Outcome { number, no_number, too_long } outcome = Outcome::no_number;
  Decimal value;
};

/// too_long: more than fits 63 bits, or 18 digits behind the point.
ParsedDecimal parse_exact_decimal(std::string_view text, DecimalSyntax syntax);

/// Numbers in units of 1/scale(), the smallest power of ten that makes all of them whole.
class CommonScale {
 public:
  /// Begins with `count` zeros.
  explicit CommonScale(std::size_t count = 0) : units_(count) {}
  /// Appends a number. False, and nothing done, when it or an earlier one would exceed 63 bits.
  bool add(Decimal value);
  /// Replaces number i by another; false as above.
  bool set(std::size_t i, Decimal value);
  /// The value in units; nothing when they are too many or too coarse.
  std::optional<std::uint64_t> units_of(Decimal value) const;

  std::uint64_t scale() const { return scale_; }
  const std::vector<std::uint64_t>& units() const { return units_; }
  std::vector<std::uint64_t> take() { return std::move(units_); }

 private:
  bool refine(unsigned fraction);

  std::vector<std::uint64_t> units_;
  std::uint64_t largest_ = 0;
  std::uint64_t scale_ = 1;
  unsigned fraction_ = 0;
};

// Pieces that several SPECs share: "16x12x24", and "/2x8" for the tree in each node.

/// Positive numbers joined by "x". Throws Error (input) that says `expected`.
std::vector<std::uint32_t> parse_arities(std::string_view text, const std::string& expected,
                                         const SpecRequest& request);

/// "16x12x24/2x8": what is before the slash, and the tree in each node (empty without one).
struct NetworkBody {
  std::string_view network;
  std::vector<std::uint32_t> node_arities;
};
NetworkBody split_network_body(const SpecRequest& request);

}  // namespace kith
