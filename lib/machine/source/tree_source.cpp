// tree:64x2x8, tree:64x2x8@100,10,1, tree:(8,8,4) and tree:(3*(8,8),16*4)@100,10,1
#include "core/line_reader.hpp"
#include "core/split.hpp"
#include "kith/error.hpp"
#include "kith/tree_machine.hpp"
#include "machine/source/arities.hpp"
#include "machine/source/decimals.hpp"
#include "machine/source/explicit_tree.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

struct Costs {
  std::vector<std::uint64_t> units;  ///< empty: none given
  std::uint64_t scale = 1;
};

Costs parse_costs(std::string_view text, const SpecRequest& request) {
  CommonScale scale;
  for (const std::string_view part : split(text, ',')) {
    const ParsedDecimal parsed = parse_exact_decimal(part, DecimalSyntax::plain);
    if (parsed.outcome == ParsedDecimal::Outcome::no_number) {
      throw bad_input(request.option, "decimal costs, one per level, such as tree:64x2x8@100,10,1",
                      in_quotes(part));
    }
    if (parsed.outcome == ParsedDecimal::Outcome::too_long || !scale.add(parsed.value)) {
      throw bad_input(request.option, "costs of at most 19 digits in all", in_quotes(text));
    }
  }
  return {scale.take(), scale.scale()};
}

std::unique_ptr<Machine> make_tree(ExplicitTree tree, Costs costs, const SpecRequest& request) {
  if (!costs.units.empty() && costs.units.size() != tree.depth()) {
    throw bad_input(request.option, std::to_string(tree.depth()) + " costs, one per level",
                    std::to_string(costs.units.size()) + " in " + in_quotes(request.spec));
  }
  if (!tree.arities.empty()) {
    return TreeMachine::symmetric(std::move(tree.arities), std::move(costs.units), costs.scale,
                                  request.spec);
  }
  TreeDescription description;
  for (std::size_t level = 0; level < tree.depth(); ++level) {
    description.names.push_back("level" + std::to_string(level));
  }
  description.children = std::move(tree.children);
  description.nodes = description.children[0][0];
  description.kind = "tree";
  description.spec = request.spec;
  description.costs = std::move(costs.units);
  description.cost_scale = costs.scale;
  return TreeMachine::from(std::move(description));
}

}  // namespace

std::unique_ptr<Machine> read_tree(const SpecRequest& request) {
  const auto at = request.body.find('@');
  const std::string_view shape = request.body.substr(0, at);
  ExplicitTree tree;
  if (shape.starts_with('(')) {
    tree = parse_explicit_tree(shape, request);
  } else {
    tree.arities = parse_arities(
        shape, "positive arities, top down, such as tree:64x2x8 or tree:(8,8,4)", request);
  }
  Costs costs;
  if (at != std::string_view::npos) costs = parse_costs(request.body.substr(at + 1), request);
  try {
    return make_tree(std::move(tree), std::move(costs), request);
  } catch (const Error& error) {
    const std::string_view message = error.what();
    if (message.starts_with(request.option)) throw;
    throw Error(error.kind(), request.option + ": " + error.what());
  }
}

}  // namespace kith
