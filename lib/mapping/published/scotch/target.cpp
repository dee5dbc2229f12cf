#include "mapping/published/scotch/scotch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"
#include "machine/model/enclosing_tree.hpp"

namespace kith {
namespace {

std::vector<std::uint32_t> places_for(const TreeMachine& tree, std::uint32_t ranks) {
  if (tree.allowed().size() / 2 <= ranks) return tree.allowed_leaves();
  const auto leaves = tree.allowed_leaves(ranks);
  const std::uint64_t last_object = tree.parent(tree.depth(), leaves.back());
  const std::uint64_t end = tree.first_leaf(tree.depth() - 1, last_object + 1);
  auto places = leaves;
  for (std::uint64_t leaf = leaves.back() + std::uint64_t{1}; leaf < end; ++leaf) {
    if (places.size() / 2 > ranks) break;
    if (tree.allowed().contains(tree.slot_of_leaf(leaf))) {
      places.push_back(static_cast<std::uint32_t>(leaf));
    }
  }
  return places;
}

/// Distances by level, top down, made to fall towards the leaves and to fit 20 bits.
std::vector<std::int64_t> level_distances(const TreeDistance& distance) {
  const unsigned depth = distance.tree().depth();
  std::vector<std::uint64_t> exact(depth);
  std::uint64_t divisor = 0;
  for (unsigned l = depth; l-- > 0;) {
    exact[l] = distance.at_level(l);
    if (l + 1 < depth) exact[l] = std::max(exact[l], exact[l + 1]);
    divisor = std::gcd(divisor, exact[l]);
  }
  constexpr std::uint64_t largest = std::uint64_t{1} << 20;
  divisor = std::max<std::uint64_t>(divisor, 1);
  if (exact[0] / divisor > largest) divisor = exact[0] / largest + 1;
  std::vector<std::int64_t> distances;
  for (const std::uint64_t value : exact) {
    distances.push_back(static_cast<std::int64_t>((value + divisor / 2) / divisor));
  }
  return distances;
}

}  // namespace

ScotchTarget scotch_target(const TreeDistance& distance, std::uint32_t ranks) {
  const TreeMachine& tree = distance.tree();
  const auto leaves = places_for(tree, ranks);
  ScotchTarget target;
  for (const std::uint32_t leaf : leaves) target.slot_of.push_back(tree.slot_of_leaf(leaf));
  auto arities = tree.arities_of(leaves);
  if (!arities) {
    const auto enclosing = enclosing_tree(tree, leaves);
    if (!enclosing) {
      throw bad_argument("algorithm", "for scotch a machine that is not so lopsided",
                         "one whose enclosing symmetric tree has more than 2^63 leaves");
    }
    arities = enclosing->arities;
    target.leaves.assign(enclosing->places.begin(), enclosing->places.end());
  }

  const auto distances = level_distances(distance);
  for (unsigned l = 0; l < tree.depth(); ++l) {
    if ((*arities)[l] == 1) continue;
    target.arities.push_back((*arities)[l]);
    target.links.push_back(distances[l]);
  }
  // Scotch adds up what the levels add; the last level's distance is its own.
  for (std::size_t l = 0; l + 1 < target.links.size(); ++l) target.links[l] -= target.links[l + 1];
  return target;
}

}  // namespace kith

namespace kith::scotch {
namespace {

constexpr std::size_t max_torus_dimensions = 5;
constexpr std::size_t max_mesh_dimensions = 3;  // Scotch 7.0.3 measures its meshXD as a torus

/// The terminals of `target.whole` that are in use.
void keep_only(Target& target, const std::vector<Number>& terminals) {
  target.used = std::make_unique<Architecture>();
  check(SCOTCH_archSub(target.used->get(), target.whole->get(),
                       static_cast<Number>(terminals.size()), terminals.data()),
        "choosing the slots");
}

const GridNetwork* grid_of(const Machine& machine) {
  const NetworkMachine* const network = machine.as_network();
  return network != nullptr ? network->network().as_grid() : nullptr;
}

/// A whole grid, or nodes of a network whose hops are those of a grid.
struct Grid {
  bool is_hypercube = false;
  bool periodic = false;
  std::vector<std::uint32_t> extents;
};

/// Nothing where the nodes, ascending, are neither all of the grid nor a box in it whose distances
/// are those of a grid of its own. Of a torus no box of more than half a side is.
std::optional<Grid> grid_of_nodes(const GridNetwork& grid, const std::vector<FreeNode>& nodes) {
  Grid found{grid.kind() == "hypercube", grid.periodic(), {}};
  if (nodes.size() == grid.nodes()) {
    found.extents.assign(grid.extents().begin(), grid.extents().end());
    return found;
  }
  auto lowest = grid.coordinates(nodes.front().node);
  auto highest = lowest;
  for (const FreeNode& node : nodes) {
    const auto at = grid.coordinates(node.node);
    for (std::size_t d = 0; d < at.size(); ++d) {
      lowest[d] = std::min(lowest[d], at[d]);
      highest[d] = std::max(highest[d], at[d]);
    }
  }
  std::uint64_t size = 1;
  for (std::size_t d = 0; d < lowest.size(); ++d) {
    const std::uint32_t extent = highest[d] - lowest[d] + 1;
    if (grid.periodic() && extent > grid.extents()[d] / 2 + 1) return std::nullopt;
    size *= extent;
    if (extent > 1) found.extents.push_back(extent);
  }
  if (size != nodes.size()) return std::nullopt;
  found.periodic = false;
  const bool is_known = found.is_hypercube || found.extents.size() <= max_mesh_dimensions;
  return is_known ? std::optional(std::move(found)) : std::nullopt;
}

std::unique_ptr<Architecture> grid_architecture(const Grid& grid) {
  auto architecture = std::make_unique<Architecture>();
  SCOTCH_Arch* const out = architecture->get();
  // Scotch's first dimension is the fastest, Kith's the last.
  std::vector<Number> extents(grid.extents.rbegin(), grid.extents.rend());
  if (grid.is_hypercube) {
    check(SCOTCH_archHcub(out, static_cast<Number>(extents.size())), "building the hypercube");
    return architecture;
  }
  while (extents.size() < 2) extents.push_back(1);
  const auto dimensions = static_cast<Number>(extents.size());
  int status = 0;
  if (dimensions == 2) {
    status = grid.periodic ? SCOTCH_archTorus2(out, extents[0], extents[1])
                           : SCOTCH_archMesh2(out, extents[0], extents[1]);
  } else if (dimensions == 3) {
    status = grid.periodic ? SCOTCH_archTorus3(out, extents[0], extents[1], extents[2])
                           : SCOTCH_archMesh3(out, extents[0], extents[1], extents[2]);
  } else {
    status = SCOTCH_archTorusX(out, dimensions, extents.data());
  }
  check(status, "building the grid");
  return architecture;
}

// Scotch divides a table's terminals where it is told to. These two order them so that the halves,
// and the halves of these, are near to each other.

/// On a grid: across the longest side.
void order_by_sides(std::span<Slot> slots, const NetworkMachine& machine, const GridNetwork& grid) {
  if (slots.size() <= 2) return;
  const auto coordinates = [&](Slot slot) {
    return grid.coordinates(slot.value / machine.slots_per_node());
  };
  auto lowest = coordinates(slots.front());
  auto highest = lowest;
  for (const Slot slot : slots) {
    const auto at = coordinates(slot);
    for (std::size_t d = 0; d < at.size(); ++d) {
      lowest[d] = std::min(lowest[d], at[d]);
      highest[d] = std::max(highest[d], at[d]);
    }
  }
  std::size_t longest = 0;
  for (std::size_t d = 1; d < lowest.size(); ++d) {
    if (highest[d] - lowest[d] > highest[longest] - lowest[longest]) longest = d;
  }
  std::ranges::stable_sort(slots, {}, [&](Slot slot) { return coordinates(slot)[longest]; });
  const std::size_t half = slots.size() - slots.size() / 2;
  order_by_sides(slots.first(half), machine, grid);
  order_by_sides(slots.subspan(half), machine, grid);
}

/// On any machine: by which of two slots that are far apart is nearer.
void order_by_halves(std::span<Slot> slots, const AnyDistance& distance) {
  if (slots.size() <= 2) return;
  const auto farthest_from = [&](Slot from) {
    return *std::ranges::max_element(slots, {}, [&](Slot s) { return distance(from, s); });
  };
  const Slot left = farthest_from(slots.front());
  const Slot right = farthest_from(left);
  std::ranges::stable_sort(slots, {}, [&](Slot s) {
    return static_cast<std::int64_t>(distance(left, s)) -
           static_cast<std::int64_t>(distance(right, s));
  });
  const std::size_t half = slots.size() - slots.size() / 2;
  order_by_halves(slots.first(half), distance);
  order_by_halves(slots.subspan(half), distance);
}

/// Between terminals, the lower triangle row by row, made to fit 20 bits and to be at least 1.
std::vector<std::uint64_t> table_distances(std::span<const Slot> slots,
                                           const AnyDistance& distance) {
  std::vector<std::uint64_t> table;
  table.reserve(slots.size() * (slots.size() - 1) / 2);
  std::uint64_t divisor = 0;
  std::uint64_t most = 0;
  for (std::size_t i = 1; i < slots.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      table.push_back(distance(slots[i], slots[j]));
      divisor = std::gcd(divisor, table.back());
      most = std::max(most, table.back());
    }
  }
  constexpr std::uint64_t largest = std::uint64_t{1} << 20;
  divisor = std::max<std::uint64_t>(divisor, 1);
  if (most / divisor > largest) divisor = most / largest + 1;
  for (std::uint64_t& value : table) {
    value = std::max<std::uint64_t>(value / divisor + (value % divisor >= (divisor + 1) / 2), 1);
  }
  return table;
}

/// As a file of Scotch's, for want of a function that takes distances.
std::string table_text(std::span<const Slot> slots, const AnyDistance& distance) {
  std::vector<std::uint64_t> domains;
  number_domains(1, slots.size(), domains);
  std::string text =
      fmt::format("deco 0\n{} {}\n", slots.size(), *std::ranges::max_element(domains));
  for (std::size_t i = 0; i < slots.size(); ++i) text += fmt::format("{} 1 {}\n", i, domains[i]);
  for (const std::uint64_t value : table_distances(slots, distance)) {
    fmt::format_to(std::back_inserter(text), "{}\n", value);
  }
  return text;
}

Target table_target(const Machine& machine, Objective objective, std::vector<Slot> slots) {
  if (slots.size() > max_table_terminals) {
    throw bad_argument(
        "algorithm",
        fmt::format("for Scotch a tree, a torus of at most {} dimensions, a mesh of at "
                    "most {}, a hypercube or at most {} nodes in use",
                    max_torus_dimensions, max_mesh_dimensions, max_table_terminals),
        fmt::format("{} ({} nodes)", machine.spec(), slots.size()));
  }
  const AnyDistance distance(machine, objective);
  if (const GridNetwork* grid = grid_of(machine)) {
    order_by_sides(slots, *machine.as_network(), *grid);
  } else {
    order_by_halves(slots, distance);
  }
  std::string text = table_text(slots, distance);
  Target target;
  target.used = std::make_unique<Architecture>();
  std::FILE* const file = fmemopen(text.data(), text.size(), "r");
  if (file == nullptr) throw environment_error("cannot read a table from memory");
  const int status = SCOTCH_archLoad(target.used->get(), file);
  std::fclose(file);
  check(status, "reading the table of distances");
  target.slot_of = std::move(slots);
  return target;
}

}  // namespace

Target tree_target(const TreeDistance& distance, std::uint32_t ranks) {
  const ScotchTarget tree = scotch_target(distance, ranks);
  Target target;
  target.slot_of = tree.slot_of;
  if (tree.slot_of.size() == 1) return target;
  const std::vector<Number> arities(tree.arities.begin(), tree.arities.end());
  const std::vector<Number> links(tree.links.begin(), tree.links.end());
  auto whole = std::make_unique<Architecture>();
  check(SCOTCH_archTleaf(whole->get(), static_cast<Number>(arities.size()), arities.data(),
                         links.data()),
        "building the tree");
  if (tree.leaves.empty()) {
    target.used = std::move(whole);
  } else {
    target.whole = std::move(whole);
    keep_only(target, {tree.leaves.begin(), tree.leaves.end()});
  }
  return target;
}

bool is_grid_of_scotch(const Machine& machine, Objective objective) {
  const GridNetwork* const grid = grid_of(machine);
  if (grid == nullptr || (objective != Objective::hop_bytes && machine.has_costs())) return false;
  return grid->kind() == "hypercube" ||
         grid->extents().size() <= (grid->periodic() ? max_torus_dimensions : max_mesh_dimensions);
}

Target network_target(const Machine& machine, Objective objective,
                      const std::vector<FreeNode>& nodes) {
  std::vector<Slot> slots;
  for (const FreeNode& node : nodes) slots.push_back(node.first);
  if (!is_grid_of_scotch(machine, objective)) {
    return table_target(machine, objective, std::move(slots));
  }
  const GridNetwork& grid = *grid_of(machine);
  const auto box = grid_of_nodes(grid, nodes);
  // Scotch's parts of a grid are halved badly: mappings are up to a third worse.
  constexpr std::size_t cheap_table = 2048;
  if (!box && nodes.size() <= cheap_table) {
    return table_target(machine, objective, std::move(slots));
  }
  Target target;
  target.slot_of = std::move(slots);
  if (box) {
    target.used = grid_architecture(*box);
    return target;
  }
  target.whole = grid_architecture({grid.kind() == "hypercube",
                                    grid.periodic(),
                                    {grid.extents().begin(), grid.extents().end()}});
  std::vector<Number> terminals;
  for (const FreeNode& node : nodes) terminals.push_back(node.node);
  keep_only(target, terminals);
  return target;
}

}  // namespace kith::scotch
