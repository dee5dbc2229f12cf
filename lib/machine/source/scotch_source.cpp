// scotch:FILE and scotch:tleaf 3 4 100 2 10 8 1: the target architectures of Scotch 7.0.
#include <algorithm>
#include <array>
#include <numeric>

#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "machine/source/scotch_machine.hpp"

namespace kith {
namespace {

/// Above this many slots a tree with permuted leaves is refused: it costs 32 bytes a slot.
constexpr std::uint64_t max_permuted_slots = std::uint64_t{1} << 24;
constexpr unsigned max_nesting = 8;
constexpr std::uint64_t max_grid_dimensions = 5;  // Scotch's own limit

ScotchMachine read_target(TargetWords& words, ScotchContext context);

/// The arities and, level by level from the top, what crossing it adds to a distance.
struct LinkedTree {
  std::vector<std::uint32_t> arities;
  std::vector<std::uint64_t> costs;  ///< of pairs that meet at each level
  std::uint64_t slots = 1;
};

LinkedTree read_linked_tree(TargetWords& words) {
  LinkedTree tree;
  const std::uint64_t levels = words.number("the number of levels", 0, 64);
  for (std::uint64_t level = 0; level < levels; ++level) {
    const std::uint64_t size = words.number("the size of a level", 2, max_index_count);
    tree.arities.push_back(static_cast<std::uint32_t>(size));
    tree.costs.push_back(words.number("the cost of a level's links", 1, max_target_cost));
    tree.slots *= size;
    if (tree.slots > max_index_count) {
      throw words.error("at most " + std::to_string(max_index_count) + " leaves", "more");
    }
  }
  std::uint64_t below = 0;
  for (std::size_t level = tree.costs.size(); level-- > 0;) {
    tree.costs[level] = below += tree.costs[level];
    if (below > max_target_cost) throw words.error("distances of at most 2^62", "a larger one");
  }
  if (tree.arities.empty()) {
    tree.arities = {1};
    tree.costs = {1};
  }
  return tree;
}

ScotchMachine read_tleaf(TargetWords& words, const ScotchContext& context) {
  LinkedTree tree = read_linked_tree(words);
  return {TreeMachine::symmetric(std::move(tree.arities), std::move(tree.costs), 1,
                                 context.request.spec)};
}

/// The label of each leaf of a block; leaves of later blocks are labelled alike.
std::vector<std::uint32_t> read_labels(TargetWords& words, const LinkedTree& tree) {
  const std::uint64_t size = words.number("the size of the permutation", 1, tree.slots);
  std::uint64_t block = 1;
  for (std::size_t level = tree.arities.size(); level-- > 0 && block < size;) {
    block *= tree.arities[level];
  }
  if (block != size) {
    throw words.error("a permutation of as many leaves as some object has", std::to_string(size));
  }
  std::vector<std::uint32_t> labels;
  for (std::uint64_t i = 0; i < size; ++i) {
    labels.push_back(static_cast<std::uint32_t>(words.number("a leaf's number", 0, size - 1)));
  }
  std::vector<bool> seen(size);
  for (const std::uint32_t label : labels) {
    if (seen[label]) throw words.error("a permutation", std::to_string(label) + " twice");
    seen[label] = true;
  }
  return labels;
}

ScotchMachine read_ltleaf(TargetWords& words, const ScotchContext& context) {
  LinkedTree tree = read_linked_tree(words);
  const auto labels = read_labels(words, tree);
  if (std::ranges::is_sorted(labels)) {
    return {TreeMachine::symmetric(std::move(tree.arities), std::move(tree.costs), 1,
                                   context.request.spec)};
  }
  if (tree.slots > max_permuted_slots) {
    throw words.error("at most " + std::to_string(max_permuted_slots) + " permuted leaves",
                      std::to_string(tree.slots));
  }
  TreeDescription description;
  std::size_t objects = 1;
  for (const std::uint32_t arity : tree.arities) {
    description.children.emplace_back(objects, arity);
    description.names.push_back("level" + std::to_string(description.names.size()));
    objects *= arity;
  }
  for (std::uint32_t leaf = 0; leaf < tree.slots; ++leaf) {
    const auto place = static_cast<std::uint32_t>(leaf % labels.size());
    description.slot_of_leaf.emplace_back(leaf - place + labels[place]);
  }
  description.kind = "tree";
  description.spec = context.request.spec;
  description.costs = std::move(tree.costs);
  description.nodes = tree.arities.front();
  return {TreeMachine::from(std::move(description))};
}

ScotchMachine complete(std::uint64_t terminals, const ScotchContext& context) {
  return {TreeMachine::symmetric({static_cast<std::uint32_t>(terminals)}, {1}, 1,
                                 context.request.spec)};
}

ScotchMachine read_cmplt(TargetWords& words, const ScotchContext& context) {
  return complete(words.number("the number of terminals", 1, max_index_count), context);
}

/// The weights are how much work each terminal takes; Kith's slots take one rank each.
ScotchMachine read_cmpltw(TargetWords& words, const ScotchContext& context) {
  const std::uint64_t terminals = words.number("the number of terminals", 1, max_index_count);
  for (std::uint64_t i = 0; i < terminals; ++i) {
    words.number("a terminal's weight", 1, max_target_cost);
  }
  return complete(terminals, context);
}

/// Scotch's first dimension is the fastest, Kith's the last.
ScotchMachine read_grid(TargetWords& words, const ScotchContext& context, GridNetwork::Kind kind,
                        std::uint64_t dimensions) {
  std::vector<std::uint32_t> extents;
  std::uint64_t nodes = 1;
  for (std::uint64_t d = 0; d < dimensions; ++d) {
    extents.push_back(
        static_cast<std::uint32_t>(words.number("the size of a dimension", 1, max_index_count)));
    nodes *= extents.back();
    if (nodes > max_index_count) {
      throw words.error("at most " + std::to_string(max_index_count) + " terminals", "more");
    }
  }
  std::ranges::reverse(extents);
  auto grid = std::make_shared<GridNetwork>(kind, std::move(extents));
  return {std::make_unique<NetworkMachine>(std::move(grid), std::vector<std::uint32_t>{},
                                           context.request.spec)};
}

template <GridNetwork::Kind kind, std::uint64_t dimensions>
ScotchMachine read_fixed_grid(TargetWords& words, const ScotchContext& context) {
  return read_grid(words, context, kind, dimensions);
}

template <GridNetwork::Kind kind>
ScotchMachine read_any_grid(TargetWords& words, const ScotchContext& context) {
  return read_grid(words, context, kind,
                   words.number("the number of dimensions", 1, max_grid_dimensions));
}

ScotchMachine read_hcub(TargetWords& words, const ScotchContext& context) {
  const std::uint64_t dimension = words.number("the dimension", 1, 31);
  auto cube = std::make_shared<GridNetwork>(GridNetwork::Kind::hypercube,
                                            std::vector<std::uint32_t>(dimension, 2));
  return {std::make_unique<NetworkMachine>(std::move(cube), std::vector<std::uint32_t>{},
                                           context.request.spec)};
}

ScotchMachine read_sub(TargetWords& words, const ScotchContext& context) {
  const std::uint64_t count = words.number("the number of terminals to keep", 1, max_index_count);
  std::vector<std::uint32_t> kept;
  for (std::uint64_t i = 0; i < count; ++i) {
    kept.push_back(
        static_cast<std::uint32_t>(words.number("a terminal to keep", 0, max_index_count - 1)));
  }
  ScotchMachine whole = read_target(words, {context.request, context.nesting + 1});
  std::vector<Slot> slots;
  for (const std::uint32_t terminal : kept) {
    if (terminal >= whole.terminal_count()) {
      throw words.error("terminals to keep below " + std::to_string(whole.terminal_count()),
                        std::to_string(terminal));
    }
    slots.push_back(whole.slot_of(terminal));
  }
  const SlotSet set = SlotSet::of(slots);
  if (set.size() != slots.size()) throw words.error("each terminal to keep once", "one twice");
  return {whole.machine->restricted_to(set), std::move(slots)};
}

ScotchMachine refuse_variable(TargetWords& words, const ScotchContext&) {
  throw words.error("a target with a fixed number of terminals",
                    "one that grows as Scotch needs it (varcmplt, varhcub)");
}

using GridKind = GridNetwork::Kind;
struct TargetKind {
  std::string_view name;
  ScotchMachine (*read)(TargetWords&, const ScotchContext&);
};
constexpr std::array kinds{
    TargetKind{"cmplt", read_cmplt},
    TargetKind{"cmpltw", read_cmpltw},
    TargetKind{"deco", read_scotch_deco},
    TargetKind{"hcub", read_hcub},
    TargetKind{"ltleaf", read_ltleaf},
    TargetKind{"mesh2D", read_fixed_grid<GridKind::mesh, 2>},
    TargetKind{"mesh3D", read_fixed_grid<GridKind::mesh, 3>},
    TargetKind{"meshXD", read_any_grid<GridKind::mesh>},
    TargetKind{"sub", read_sub},
    TargetKind{"tleaf", read_tleaf},
    TargetKind{"torus2D", read_fixed_grid<GridKind::torus, 2>},
    TargetKind{"torus3D", read_fixed_grid<GridKind::torus, 3>},
    TargetKind{"torusXD", read_any_grid<GridKind::torus>},
    TargetKind{"varcmplt", refuse_variable},
    TargetKind{"varhcub", refuse_variable},
};

ScotchMachine read_target(TargetWords& words, ScotchContext context) {
  if (context.nesting > max_nesting) {
    throw words.error("at most " + std::to_string(max_nesting) + " targets in each other", "more");
  }
  const std::string_view name = words.next();
  const auto* const kind = std::ranges::find(kinds, name, &TargetKind::name);
  if (kind != kinds.end()) return kind->read(words, context);
  std::string names;
  for (const TargetKind& known : kinds) names.append(names.empty() ? "" : ", ").append(known.name);
  throw words.error("a Scotch target: one of " + names, name.empty() ? "nothing" : in_quotes(name));
}

/// Whether the body is the target itself: a known word and a blank.
bool is_inline(std::string_view body) {
  const auto blank = body.find_first_of(" \t");
  return blank != std::string_view::npos &&
         std::ranges::find(kinds, body.substr(0, blank), &TargetKind::name) != kinds.end();
}

}  // namespace

bool names_scotch_file(std::string_view body) {
  return !is_inline(body);
}

std::unique_ptr<Machine> read_scotch(const SpecRequest& request) {
  TargetWords words =
      is_inline(request.body) ? TargetWords::of_text(request) : TargetWords::of_file(request);
  ScotchMachine target = read_target(words, {request});
  words.expect_end();
  return std::move(target.machine);
}

}  // namespace kith
