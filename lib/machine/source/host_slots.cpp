#include "machine/source/host_slots.hpp"

#include <utility>

#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

void collect_slots(const hwloc_obj* object, Granularity granularity,
                   std::vector<const hwloc_obj*>& slots) {
  const bool is_slot = object->type == HWLOC_OBJ_PU ||
                       (object->type == HWLOC_OBJ_CORE && granularity == Granularity::core);
  if (is_slot) {
    slots.push_back(object);
    return;
  }
  for (const hwloc_obj* child = object->first_child; child != nullptr;
       child = child->next_sibling) {
    collect_slots(child, granularity, slots);
  }
}

}  // namespace

HostSlots host_slots(hwloc_topology* topology, Granularity granularity, const std::string& spec,
                     std::string kind, const std::string& where) {
  auto names = depth_names(topology);
  KithNotes notes = read_notes(topology);
  const hwloc_obj* const root = hwloc_get_root_obj(topology);
  names[0] = notes.nodes > 0 && root->subtype != nullptr ? root->subtype : "host";
  std::vector<const hwloc_obj*> objects;
  collect_slots(root, granularity, objects);
  if (objects.empty()) throw bad_input(where, "a machine with cores or processing units", "none");

  HostSlots host;
  PathGroupings groupings(std::move(names));
  for (const hwloc_obj* object : objects) {
    std::vector<PathGroupings::Step> chain{{0, 0}};
    for (const HwlocStep& step : chain_above(object)) {
      chain.push_back({step.depth, step.identity()});
    }
    groupings.add_slot(chain);
    host.cpus.push_back(cpus_of(object));
  }
  auto tree = tree_from_groupings(groupings.take(), static_cast<std::uint32_t>(objects.size()));
  tree.kind = std::move(kind);
  tree.spec = spec;
  tree.pus = static_cast<std::uint64_t>(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU));
  apply_notes(std::move(notes), tree);
  host.machine = TreeMachine::from(std::move(tree));
  return host;
}

}  // namespace kith
