// fattree:K,N and fattree:K,N,TAPER: a k-ary n-tree; with a tree in each node: fattree:16,3/2x8
#include <numeric>
#include <optional>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "machine/source/spec_numbers.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

/// As given: numerator / denominator, at least 1.
struct Taper {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
};

struct FatTree {
  std::uint32_t arity = 0;
  std::uint32_t levels = 0;
  Taper taper;
  std::vector<std::uint32_t> node_arities;
};

Error unusable_fattree(const SpecRequest& request) {
  return bad_input(request.option,
                   "an arity of at least 2, levels and, optionally, a taper of at least 1, such as "
                   "fattree:16,3 or fattree:16,3,2",
                   in_quotes(request.spec));
}

std::uint32_t read_number(std::string_view text, std::uint64_t least, std::uint64_t most,
                          const SpecRequest& request) {
  const auto value = parse_unsigned(text);
  if (!value || *value < least || *value > most) throw unusable_fattree(request);
  return static_cast<std::uint32_t>(*value);
}

Taper read_taper(std::string_view text, const SpecRequest& request) {
  CommonScale scale;
  const ParsedDecimal parsed = parse_exact_decimal(text, DecimalSyntax::plain);
  if (parsed.outcome != ParsedDecimal::Outcome::number || !scale.add(parsed.value)) {
    throw unusable_fattree(request);
  }
  if (scale.units()[0] < scale.scale()) throw unusable_fattree(request);
  return {scale.units()[0], scale.scale()};
}

FatTree read_body(const SpecRequest& request) {
  const NetworkBody body = split_network_body(request);
  const auto parts = split(body.network, ',');
  if (parts.size() < 2 || parts.size() > 3) throw unusable_fattree(request);
  FatTree tree;
  tree.arity = read_number(parts[0], 2, max_index_count, request);
  tree.levels = read_number(parts[1], 1, 32, request);
  if (parts.size() == 3) tree.taper = read_taper(parts[2], request);
  tree.node_arities = body.node_arities;
  return tree;
}

/// Powers of the taper and what comes of them must fit 63 bits.
class Exact {
 public:
  explicit Exact(const SpecRequest& request) : request_(request) {}

  std::uint64_t product(std::uint64_t a, std::uint64_t b) const {
    std::uint64_t out = 0;
    if (__builtin_mul_overflow(a, b, &out) || out > most) throw too_long();
    return out;
  }
  std::uint64_t sum(std::uint64_t a, std::uint64_t b) const {
    if (a > most - b) throw too_long();
    return a + b;
  }
  std::uint64_t power(std::uint64_t base, std::size_t exponent) const {
    std::uint64_t out = 1;
    for (; exponent > 0; --exponent) out = product(out, base);
    return out;
  }

 private:
  static constexpr std::uint64_t most = INT64_MAX;
  Error too_long() const {
    return bad_input(request_.option, "a taper whose powers have at most 18 digits",
                     in_quotes(request_.spec));
  }
  const SpecRequest& request_;
};

/// A link j switch layers up costs taper^j, those in the nodes 1; a pair pays for its whole route.
void set_costs(const FatTree& tree, const Exact& exact, SymmetricTree& out) {
  if (tree.taper.numerator == tree.taper.denominator) return;
  const std::size_t layers = tree.levels;
  out.cost_scale = exact.power(tree.taper.denominator, layers - 1);
  std::uint64_t cost_up = 0;
  for (std::size_t i = 0; i < tree.node_arities.size(); ++i) {
    cost_up = exact.sum(cost_up, out.cost_scale);
    out.costs.push_back(exact.product(2, cost_up));
  }
  for (std::size_t j = 0; j < layers; ++j) {
    const std::uint64_t link = exact.product(exact.power(tree.taper.numerator, j),
                                             exact.power(tree.taper.denominator, layers - 1 - j));
    cost_up = exact.sum(cost_up, link);
    out.costs.push_back(exact.product(2, cost_up));
  }
  out.costs = {out.costs.rbegin(), out.costs.rend()};
}

/// K^j nodes together have K^j / taper^j links up.
void set_widths(const FatTree& tree, const Exact& exact, SymmetricTree& out) {
  std::uint64_t up = exact.product(tree.arity, tree.taper.denominator);
  std::uint64_t down = tree.taper.numerator;
  const std::uint64_t common = std::gcd(up, down);
  up /= common;
  down /= common;
  for (std::size_t j = tree.levels; j-- > 0;) {
    out.widths.push_back({exact.power(up, j), exact.power(down, j)});
  }
  out.widths.resize(out.arities.size());
}

}  // namespace

std::unique_ptr<Machine> read_fattree(const SpecRequest& request) {
  const FatTree tree = read_body(request);
  const Exact exact(request);
  SymmetricTree out;
  out.kind = "fattree";
  out.spec = request.spec;
  out.arities.assign(tree.levels, tree.arity);
  out.node_level = tree.levels;
  out.arities.insert(out.arities.end(), tree.node_arities.begin(), tree.node_arities.end());
  set_costs(tree, exact, out);
  set_widths(tree, exact, out);
  try {
    return TreeMachine::symmetric(std::move(out));
  } catch (const Error& error) {
    throw Error(error.kind(), request.option + ": " + error.what());
  }
}

}  // namespace kith
