#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kith/detail/export.hpp"
#include "kith/error.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "machine/model/enclosing_tree.hpp"

namespace kith {
namespace {

/// hwloc's time and the length of the file grow with the square.
constexpr std::uint64_t max_leaves = 4096;

Error cannot_express(const Machine& machine, const std::string& found) {
  return bad_argument(
      "format hwloc",
      fmt::format("a tree of at most {} slots, numbered from left to right, for hwloc "
                  "knows nothing else",
                  max_leaves),
      fmt::format("{} in {}", found, machine.spec()));
}

/// Groups, cores, and as many PUs in each as the machine has per slot.
std::string synthetic_text(const TreeMachine& tree, const EnclosingTree& enclosing) {
  std::string text;
  for (unsigned l = 0; l + 1 < tree.depth(); ++l) {
    if (enclosing.arities[l] > 1) text += fmt::format("group:{} ", enclosing.arities[l]);
  }
  const std::uint64_t pus = std::max<std::uint64_t>(tree.pus() / tree.slots(), 1);
  return text + fmt::format("core:{} pu:{}", enclosing.arities.back(), pus);
}

/// Removes the leaves of the enclosing tree that are not there.
void keep_places(hwloc_topology* topology, const EnclosingTree& enclosing) {
  if (enclosing.places.size() == enclosing.size) return;
  hwloc_bitmap_t kept = hwloc_bitmap_alloc();
  if (kept == nullptr) throw environment_error("out of memory");
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> owner(kept,
                                                                            hwloc_bitmap_free);
  for (const std::uint64_t place : enclosing.places) {
    const hwloc_obj* const core =
        hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, static_cast<unsigned>(place));
    if (hwloc_bitmap_or(kept, kept, core->cpuset) != 0) throw environment_error("out of memory");
  }
  if (hwloc_topology_restrict(topology, kept, 0) != 0) {
    throw environment_error("hwloc cannot leave out slots");
  }
}

void name_objects(hwloc_topology* topology, const TreeMachine& tree,
                  const EnclosingTree& enclosing) {
  int depth = 0;
  for (unsigned l = 0; l < tree.depth(); ++l) {
    if (l > 0 && enclosing.arities[l - 1] == 1) continue;
    for (hwloc_obj* object = hwloc_get_obj_by_depth(topology, depth, 0); object != nullptr;
         object = object->next_cousin) {
      object->subtype = strdup(tree.levels()[l].name.c_str());
    }
    ++depth;
  }
}

KithNotes notes_of(const TreeMachine& tree, const std::vector<std::uint32_t>& leaves,
                   const EnclosingTree& enclosing) {
  KithNotes notes;
  std::uint64_t last = UINT64_MAX;
  for (const std::uint32_t leaf : leaves) {
    const std::uint64_t node = tree.ancestor(leaf, tree.node_level());
    if (node == last) continue;
    last = node;
    ++notes.nodes;
    if (!tree.node_names().empty()) notes.node_names.push_back(tree.node_name(node));
  }
  if (!tree.has_costs()) return notes;
  notes.cost_scale = tree.cost_scale();
  for (unsigned l = 0; l < tree.depth(); ++l) {
    if (enclosing.arities[l] > 1) notes.costs.push_back(tree.level_cost()[l]);
  }
  return notes;
}

}  // namespace

std::string hwloc_xml(const Machine& machine) {
  const TreeMachine* const tree = machine.as_tree();
  if (tree == nullptr) throw cannot_express(machine, fmt::format("a {}", machine.kind()));
  if (!tree->slots_in_leaf_order()) throw cannot_express(machine, "another order of slots");
  if (tree->allowed().size() > max_leaves) {
    throw cannot_express(machine, fmt::format("{} slots", tree->allowed().size()));
  }
  const auto leaves = tree->allowed_leaves();
  const auto enclosing = enclosing_tree(*tree, leaves);
  if (!enclosing || enclosing->size > max_leaves) {
    throw cannot_express(machine, "objects of very unequal sizes");
  }
  const auto topology = load_synthetic_unchecked(synthetic_text(*tree, *enclosing), machine.spec());
  keep_places(topology.get(), *enclosing);
  name_objects(topology.get(), *tree, *enclosing);
  write_notes(topology.get(), notes_of(*tree, leaves, *enclosing));
  return xml_text(topology.get());
}

}  // namespace kith
