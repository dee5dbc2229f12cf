#include "machine/network/select_nodes.hpp"

#include <vector>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "machine/network/host_names.hpp"

namespace kith {
namespace {

std::optional<std::uint64_t> number_of(std::string_view name) {
  if (name.starts_with("node")) name.remove_prefix(4);
  return parse_unsigned(name);
}

/// How many each node has.
std::vector<std::uint32_t> allowed_slots(const Machine& machine) {
  std::vector<std::uint32_t> slots(machine.nodes());
  for (const SlotSet::Interval& interval : machine.allowed().intervals()) {
    for (Slot slot = interval.first; slot <= interval.last; ++slot) ++slots[machine.node_of(slot)];
  }
  return slots;
}

}  // namespace

SlotSet slots_of_nodes(const Machine& machine, std::span<const NodeCount> nodes,
                       std::string_view option) {
  const HostNames names(machine.node_names());
  const std::vector<std::uint32_t> there = allowed_slots(machine);
  std::vector<std::uint32_t> wanted(machine.nodes());
  for (const NodeCount& node : nodes) {
    std::optional<std::uint64_t> found = names.find(node.name);
    if (!found && machine.node_names().empty()) found = number_of(node.name);
    if (!found || *found >= machine.nodes()) {
      throw bad_input(option,
                      "one of the machine's " + std::to_string(machine.nodes()) +
                          " nodes, such as " + machine.node_name(0),
                      in_quotes(node.name));
    }
    if (node.slots > there[*found]) {
      throw bad_input(
          option,
          "at most the " + std::to_string(there[*found]) + " slots of node " + in_quotes(node.name),
          std::to_string(node.slots));
    }
    wanted[*found] = node.slots == 0 ? there[*found] : node.slots;
  }
  std::vector<Slot> kept;
  for (const SlotSet::Interval& interval : machine.allowed().intervals()) {
    for (Slot slot = interval.first; slot <= interval.last; ++slot) {
      std::uint32_t& left = wanted[machine.node_of(slot)];
      if (left == 0) continue;
      --left;
      kept.push_back(slot);
    }
  }
  return SlotSet::of(std::move(kept));
}

}  // namespace kith
