#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "core/plain_text.hpp"
#include "kith/detail/export.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"
#include "machine/model/enclosing_tree.hpp"

namespace kith {
namespace {

constexpr std::uint64_t max_table_slots = 1024;
constexpr std::uint64_t max_labelled_leaves = std::uint64_t{1} << 20;
constexpr std::size_t max_torus_dimensions = 5;
constexpr std::size_t max_mesh_dimensions = 3;  // Scotch 7.0.3 measures its meshXD as a torus

bool is_whole(const Machine& machine) {
  return machine.allowed().size() == machine.slots();
}

/// "sub N SLOTS" before a target whose terminals have the slots' numbers; empty for all of them.
std::string part_text(const Machine& machine) {
  if (is_whole(machine)) return "";
  std::string text = fmt::format("sub {}\n", machine.allowed().size());
  for (const SlotSet::Interval& interval : machine.allowed().intervals()) {
    std::string line;
    for (std::uint64_t slot = interval.first.value; slot <= interval.last.value; ++slot) {
      fmt::format_to(std::back_inserter(line), "{}{}", line.empty() ? "" : " ", slot);
    }
    text.append(line).append("\n");
  }
  return text;
}

/// What each level of arity > 1 adds to a distance; nothing where Scotch's links, at least 1 each,
/// cannot express it.
std::optional<std::vector<std::uint64_t>> links_of(const TreeMachine& tree,
                                                   const std::vector<std::uint32_t>& arities) {
  std::vector<std::uint64_t> links;
  std::uint64_t below = 0;
  for (unsigned l = tree.depth(); l-- > 0;) {
    if (arities[l] == 1) continue;
    const std::uint64_t cost = tree.level_cost()[l];
    if (cost <= below) return std::nullopt;
    links.push_back(cost - below);
    below = cost;
  }
  std::ranges::reverse(links);
  return links;
}

std::string levels_text(std::string_view name, const std::vector<std::uint32_t>& arities,
                        const std::vector<std::uint64_t>& links) {
  std::string text = fmt::format("{}\n{}\n", name, links.size());
  std::size_t link = 0;
  for (const std::uint32_t arity : arities) {
    if (arity > 1) text += fmt::format("{} {}\n", arity, links[link++]);
  }
  return text;
}

/// The label of each leaf of the enclosing tree: the number of the slot there; leaves that the
/// machine does not have get the numbers behind.
std::vector<std::uint64_t> labels_of(const TreeMachine& tree, const EnclosingTree& enclosing) {
  std::vector<std::uint64_t> labels;
  labels.reserve(enclosing.size);
  std::uint64_t unused = tree.slots();
  std::uint32_t leaf = 0;
  for (std::uint64_t place = 0; place < enclosing.size; ++place) {
    const bool is_there = leaf < tree.slots() && enclosing.places[leaf] == place;
    labels.push_back(is_there ? tree.slot_of_leaf(leaf++).value : unused++);
  }
  return labels;
}

/// "sub" where the enclosing tree has leaves that the machine has not.
std::string labelled_part_text(const TreeMachine& tree, const EnclosingTree& enclosing) {
  if (enclosing.size == tree.slots() || !is_whole(tree)) return part_text(tree);
  std::string text = fmt::format("sub {}\n", tree.slots());
  for (std::uint32_t slot = 0; slot < tree.slots(); ++slot) text += fmt::format("{}\n", slot);
  return text;
}

/// Nothing where no target of Scotch's is this tree.
std::optional<std::string> tree_text(const TreeMachine& tree) {
  if (tree.is_symmetric()) {
    std::vector<std::uint32_t> all;
    for (unsigned l = 0; l < tree.depth(); ++l) {
      all.push_back(static_cast<std::uint32_t>(tree.objects(l + 1) / tree.objects(l)));
    }
    const auto links = links_of(tree, all);
    if (!links) return std::nullopt;
    return part_text(tree) + levels_text("tleaf", all, *links);
  }
  std::vector<std::uint32_t> leaves(tree.slots());
  for (std::uint32_t leaf = 0; leaf < tree.slots(); ++leaf) leaves[leaf] = leaf;
  const auto enclosing = enclosing_tree(tree, leaves);
  if (!enclosing || enclosing->size > max_labelled_leaves) return std::nullopt;
  const auto links = links_of(tree, enclosing->arities);
  if (!links) return std::nullopt;
  return labelled_part_text(tree, *enclosing) + levels_text("ltleaf", enclosing->arities, *links) +
         fmt::format("{}\n{}\n", enclosing->size, fmt::join(labels_of(tree, *enclosing), "\n"));
}

/// Scotch's first dimension is the fastest, Kith's the last.
std::optional<std::string> grid_text(const NetworkMachine& machine) {
  const GridNetwork* const grid = machine.network().as_grid();
  if (grid == nullptr || machine.slots_per_node() > 1) return std::nullopt;
  std::vector<std::uint32_t> extents(grid->extents().begin(), grid->extents().end());
  if (grid->kind() == "hypercube" && !extents.empty()) {
    return part_text(machine) + fmt::format("hcub {}\n", extents.size());
  }
  std::ranges::reverse(extents);
  while (extents.size() < 2) extents.push_back(1);
  if (extents.size() > (grid->periodic() ? max_torus_dimensions : max_mesh_dimensions)) {
    return std::nullopt;
  }
  const std::string name = extents.size() <= 3 ? fmt::format("{}D", extents.size())
                                               : fmt::format("XD {}", extents.size());
  return part_text(machine) + fmt::format("{}{} {}\n", grid->kind(), name, fmt::join(extents, " "));
}

std::optional<std::string> table_text(const Machine& machine) {
  if (machine.allowed().size() > max_table_slots) return std::nullopt;
  const std::vector<Slot> slots = machine.allowed().to_vector();
  std::vector<std::uint64_t> domains;
  number_domains(1, slots.size(), domains);
  std::string text =
      fmt::format("deco 0\n{} {}\n", slots.size(), *std::ranges::max_element(domains));
  for (std::size_t i = 0; i < slots.size(); ++i) {
    text += fmt::format("{} 1 {}\n", slots[i].value, domains[i]);
  }
  for (std::size_t i = 1; i < slots.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::uint64_t cost = machine.cost(slots[j], slots[i]);
      if (cost == 0 || cost > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
      text += fmt::format("{}{}", j == 0 ? "" : " ", cost);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string scotch_target_text(const Machine& machine) {
  std::optional<std::string> text;
  if (machine.as_tree() != nullptr) text = tree_text(*machine.as_tree());
  if (machine.as_network() != nullptr) text = grid_text(*machine.as_network());
  if (!text) text = table_text(machine);
  if (text) return std::move(*text);
  throw bad_argument(
      "format scotch",
      fmt::format("a tree whose costs fall towards the leaves, a torus of single "
                  "slots of at most {} dimensions, a mesh of at most {}, or distances "
                  "from 1 to 2^32 - 1 between at most {} slots",
                  max_torus_dimensions, max_mesh_dimensions, max_table_slots),
      fmt::format("{} ({})", machine.spec(), number_of(machine.allowed().size(), "slot")));
}

}  // namespace kith
