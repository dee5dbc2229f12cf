#include "reporting/machine_view.hpp"

#include <algorithm>

#include "report/order_traffic.hpp"

namespace kith::tools {
namespace {

/// Of up to this many hosts traffic is told, for up to so many orders; of more orders less.
constexpr std::size_t most_hosts = 4096;
constexpr std::size_t most_orders = 4;
constexpr std::uint32_t most_listed_slots = 16384;

std::string kind_of(const Machine& machine) {
  if (machine.as_tree() != nullptr) return "tree";
  if (!machine.dims().empty()) return "grid";
  return machine.kind() == "matrix" ? "matrix" : "graph";
}

/// Empty where each slot is at the place of its own number.
std::vector<std::uint32_t> slot_at_places(const Machine& machine) {
  const TreeMachine* const tree = machine.as_tree();
  if (tree == nullptr || tree->slots_in_leaf_order() || machine.slots() > most_listed_slots) {
    return {};
  }
  std::vector<std::uint32_t> slots;
  for (std::uint32_t leaf = 0; leaf < machine.slots(); ++leaf) {
    slots.push_back(tree->slot_of_leaf(leaf).value);
  }
  return slots;
}

}  // namespace

ReportMachine machine_view(const Machine& machine, const MachineLevels& levels,
                           std::span<const Mapping* const> mappings) {
  ReportMachine view;
  view.spec = machine.spec();
  view.kind = kind_of(machine);
  view.is_of_the_job = machine.kind() == "job";
  view.slots = machine.slots();
  view.nodes = machine.nodes();
  view.levels.assign(levels.levels().begin(), levels.levels().end());
  view.dims = machine.dims();
  const std::size_t most = std::min(most_hosts, most_orders * most_hosts / mappings.size());
  ListedHosts listed = hosts_with_ranks(machine, mappings, most);
  view.hosts = std::move(listed.hosts);
  view.hosts_left_out = listed.left_out;
  view.slot_at = slot_at_places(machine);
  return view;
}

}  // namespace kith::tools
