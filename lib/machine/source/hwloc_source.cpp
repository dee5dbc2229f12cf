// hwloc:FILE, hwloc:SYNTHETIC and this
#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

/// Cores, or PUs where asked for or where no core is above them, left to right.
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

std::unique_ptr<Machine> machine_from(hwloc_topology* topology, const SpecRequest& request,
                                      std::string kind) {
  auto names = depth_names(topology);
  KithNotes notes = read_notes(topology);
  const hwloc_obj* const root = hwloc_get_root_obj(topology);
  names[0] = notes.nodes > 0 && root->subtype != nullptr ? root->subtype : "host";
  std::vector<const hwloc_obj*> objects;
  collect_slots(root, request.granularity, objects);
  if (objects.empty()) {
    throw bad_input(request.option, "a machine with cores or processing units", "none");
  }

  PathGroupings groupings(std::move(names));
  for (const hwloc_obj* object : objects) {
    std::vector<PathGroupings::Step> chain{{0, 0}};
    for (const HwlocStep& step : chain_above(object)) {
      chain.push_back({step.depth, step.identity()});
    }
    groupings.add_slot(chain);
  }
  auto tree = tree_from_groupings(groupings.take(), static_cast<std::uint32_t>(objects.size()));
  tree.kind = std::move(kind);
  tree.spec = request.spec;
  tree.pus = static_cast<std::uint64_t>(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU));
  apply_notes(std::move(notes), tree);
  return TreeMachine::from(std::move(tree));
}

}  // namespace

std::unique_ptr<Machine> read_hwloc(const SpecRequest& request) {
  const std::string body(request.body);
  const std::string where = request.option + ": " + body;
  const auto topology = names_file(body)
                            ? load_xml(read_text_file(body, max_xml_bytes, request.option), where)
                            : load_synthetic(body, request.option);
  return machine_from(topology.get(), request, "hwloc");
}

std::unique_ptr<Machine> read_this(const SpecRequest& request) {
  return machine_from(load_this_system().get(), request, "this");
}

}  // namespace kith
