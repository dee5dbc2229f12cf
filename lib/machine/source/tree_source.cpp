// tree:64x2x8 and tree:64x2x8@100,10,1
#include <algorithm>
#include <limits>

#include "core/parse_number.hpp"
#include "core/split.hpp"
#include "kith/error.hpp"
#include "kith/tree_machine.hpp"
#include "machine/source/arities.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

/// A decimal number as digits and the number of them behind the point, trailing zeros cut off.
struct Decimal {
  std::string digits;
  std::size_t fraction = 0;
};

Decimal parse_decimal(std::string_view text, const SpecRequest& request) {
  const auto point = text.find('.');
  std::string_view whole = text.substr(0, point);
  std::string_view fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
  const auto digits_only = [](std::string_view part) {
    return part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!digits_only(whole) || !digits_only(fraction) || (whole.empty() && fraction.empty())) {
    throw bad_input(request.option, "decimal costs, one per level, such as tree:64x2x8@100,10,1",
                    "\"" + std::string(text) + "\"");
  }
  const auto last = fraction.find_last_not_of('0');
  fraction = fraction.substr(0, last == std::string_view::npos ? 0 : last + 1);
  return {std::string(whole) + std::string(fraction), fraction.size()};
}

struct Costs {
  std::vector<std::uint64_t> units;
  std::uint64_t scale = 1;
};

/// Scales all by the smallest power of ten that makes them whole.
Costs parse_costs(std::string_view text, const SpecRequest& request) {
  std::vector<Decimal> decimals;
  std::size_t fraction = 0;
  for (const std::string_view part : split(text, ',')) {
    decimals.push_back(parse_decimal(part, request));
    fraction = std::max(fraction, decimals.back().fraction);
  }
  Costs costs;
  const auto too_large = [&] {
    return bad_input(request.option, "costs of at most 19 digits in all",
                     "\"" + std::string(text) + "\"");
  };
  if (fraction > 18) throw too_large();
  for (std::size_t i = 0; i < fraction; ++i) costs.scale *= 10;
  for (Decimal& decimal : decimals) {
    decimal.digits.append(fraction - decimal.fraction, '0');
    const auto units = parse_unsigned(decimal.digits);
    if (!units || *units > std::numeric_limits<std::uint64_t>::max() / 2) throw too_large();
    costs.units.push_back(*units);
  }
  return costs;
}

}  // namespace

std::unique_ptr<Machine> read_tree(const SpecRequest& request) {
  const auto at = request.body.find('@');
  auto arities = parse_arities(request.body.substr(0, at),
                               "positive arities, top down, such as tree:64x2x8", request);
  Costs costs;
  if (at != std::string_view::npos) {
    costs = parse_costs(request.body.substr(at + 1), request);
    if (costs.units.size() != arities.size()) {
      throw bad_input(request.option, std::to_string(arities.size()) + " costs, one per level",
                      std::to_string(costs.units.size()) + " in \"" + request.spec + "\"");
    }
  }
  try {
    return TreeMachine::symmetric(std::move(arities), std::move(costs.units), costs.scale,
                                  request.spec);
  } catch (const Error& error) {
    throw Error(error.kind(), request.option + ": " + error.what());
  }
}

}  // namespace kith
