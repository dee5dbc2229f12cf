// tree:64x2x8, tree:64x2x8@100,10,1, tree:(8,8,4) and tree:(3*(8,8),16*4)@100,10,1

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "machine/source/spec_numbers.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

// Trees written out object by object: (8,8,4), (3*(8,8),16*4).

/// The children of each object; symmetric trees by their arities.
struct ExplicitTree {
  std::vector<std::uint32_t> arities;                ///< top down; empty unless symmetric
  std::vector<std::vector<std::uint32_t>> children;  ///< as in TreeDescription; else empty
  std::size_t depth() const { return arities.empty() ? children.size() : arities.size(); }
};

constexpr std::size_t most_levels = 64;
constexpr std::uint64_t most_unequal_objects = std::uint64_t{1} << 24;

/// Equal children as they are written: `times` objects of `slots` slots or with these `items`.
struct Item {
  std::uint64_t times = 1;
  std::vector<Item> items;
  // Of one of them:
  std::uint64_t slots = 0;
  std::uint64_t objects = 0;           ///< it, those below it, and the slots
  std::size_t depth = 1;               ///< levels from it down
  std::vector<std::uint32_t> arities;  ///< empty where children are unequal
};

class Parser {
 public:
  Parser(std::string_view text, const SpecRequest& request) : text_(text), request_(request) {}

  Item run() {
    if (!take('(')) throw expected("(");
    Item root = list_after_bracket(1);
    if (at_ != text_.size()) throw expected("the end");
    return root;
  }

 private:
  Item item(std::size_t level) {
    if (take('(')) return list_after_bracket(level);
    const std::uint64_t number = positive_number();
    if (!take('*')) return object_of(number);
    Item repeated = take('(') ? list_after_bracket(level) : object_of(positive_number());
    repeated.times = number;
    return repeated;
  }

  Item object_of(std::uint64_t slots) const {
    Item object;
    object.slots = slots;
    object.objects = 1 + slots;
    object.arities = {static_cast<std::uint32_t>(slots)};
    return object;
  }

  Item list_after_bracket(std::size_t level) {
    if (level >= most_levels) {
      throw bad_input(request_.option, "1 to 64 levels", "more in " + in_quotes(request_.spec));
    }
    Item list;
    do {
      list.items.push_back(item(level + 1));
    } while (take(','));
    if (!take(')')) throw expected(", or )");
    sum_up(list);
    return list;
  }

  void sum_up(Item& list) const {
    const Item& first = list.items.front();
    list.objects = 1;
    list.depth = first.depth + 1;
    bool equal = !first.arities.empty();
    std::uint64_t children = 0;
    for (const Item& item : list.items) {
      if (item.depth != first.depth) {
        throw bad_input(request_.option, "all slots at one depth",
                        std::to_string(first.depth) + " and " + std::to_string(item.depth) +
                            " levels beside each other in " + in_quotes(request_.spec));
      }
      list.slots += item.times * item.slots;  // each factor below 2^32
      if (list.slots > max_index_count) {
        throw bad_input(request_.option, "at most " + std::to_string(max_index_count) + " slots",
                        "more in " + in_quotes(request_.spec));
      }
      list.objects += item.times * item.objects;  // at most 65 for each slot
      children += item.times;
      equal = equal && item.arities == first.arities;
    }
    if (!equal) return;
    list.arities = {static_cast<std::uint32_t>(children)};
    list.arities.insert(list.arities.end(), first.arities.begin(), first.arities.end());
  }

  std::uint64_t positive_number() {
    const auto begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    const auto value = parse_unsigned(text_.substr(begin, at_ - begin));
    if (value && *value > 0 && *value <= max_index_count) return *value;
    at_ = begin;
    throw expected("a positive number or (");
  }

  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Error expected(const std::string& what) const {
    const auto place = request_.spec.size() - request_.body.size() + at_ + 1;
    return bad_input(request_.option,
                     what + " at character " + std::to_string(place) +
                         ", as in tree:(8,8,4) or tree:(2*(8,8),(4,4))",
                     at_ == text_.size() ? "the end" : in_quotes(text_.substr(at_, 20)));
  }

  std::string_view text_;
  const SpecRequest& request_;
  std::size_t at_ = 0;
};

/// Appends the children of one object on each level.
void expand(const Item& object, std::size_t level,
            std::vector<std::vector<std::uint32_t>>& children) {
  if (object.items.empty()) {
    children[level].push_back(static_cast<std::uint32_t>(object.slots));
    return;
  }
  std::uint64_t count = 0;
  for (const Item& item : object.items) {
    count += item.times;
    for (std::uint64_t i = 0; i < item.times; ++i) expand(item, level + 1, children);
  }
  children[level].push_back(static_cast<std::uint32_t>(count));
}

/// `text`: "(ITEM,ITEM,...)", each ITEM a child: a number, which is an object of so many slots, or
/// again a list; with N* before it N equal children. Throws Error (input) for anything else, leaves
/// of unequal depth, more than 64 levels, 2^32 - 1 slots, or, where children are unequal, 2^24
/// objects and slots: memory is then proportional to these.
ExplicitTree parse_explicit_tree(std::string_view text, const SpecRequest& request) {
  const Item root = Parser(text, request).run();
  ExplicitTree tree;
  if (!root.arities.empty()) {
    tree.arities = root.arities;
    return tree;
  }
  if (root.objects > most_unequal_objects) {
    throw bad_input(
        request.option,
        "at most " + std::to_string(most_unequal_objects) + " objects and slots in an unequal tree",
        std::to_string(root.objects));
  }
  tree.children.resize(root.depth);
  expand(root, 0, tree.children);
  return tree;
}

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
