#include "reporting/orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "goal_words.hpp"
#include "io/format/trace_names.hpp"
#include "kith/reorder.hpp"
#include "metrics_output.hpp"
#include "output.hpp"
#include "report/order_traffic.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t most_talkers = 20;
constexpr std::size_t most_hosts = 4096;
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

void add_machine(const Machine& machine, const MachineLevels& levels, ReportData& data) {
  ReportMachine found;
  found.spec = machine.spec();
  found.kind = kind_of(machine);
  found.slots = machine.slots();
  found.nodes = machine.nodes();
  found.levels.assign(levels.levels().begin(), levels.levels().end());
  found.dims = machine.dims();
  std::vector<const Mapping*> mappings;
  for (const ReportOrder& order : data.orders) mappings.push_back(&*order.mapping);
  const std::size_t most = std::min(most_hosts, 4 * most_hosts / mappings.size());
  ListedHosts listed = hosts_with_ranks(machine, mappings, most);
  found.hosts = std::move(listed.hosts);
  found.hosts_left_out = listed.left_out;
  found.slot_at = slot_at_places(machine);
  data.machine = std::move(found);
}

ReportOrder order_of(std::string id, std::string name, Mapping mapping) {
  ReportOrder order;
  order.id = std::move(id);
  order.name = std::move(name);
  order.mapping = std::move(mapping);
  return order;
}

/// What follows from the mapping of an order, given that of the present one.
void evaluate_order(const Traffic& traffic, const Machine& machine, const MachineLevels& levels,
                    const Goal& goal, const ReportData& data, ReportOrder& order) {
  const TrafficMatrix& matrix = traffic.trace.bytes;
  const Mapping& mapping = *order.mapping;
  const ReportOrder& present = data.orders.front();
  order.moved = moved_ranks(*present.mapping, mapping);
  order.axis = axis_by_place(mapping, machine);
  for (const Slot slot : mapping.slot_of) order.places.push_back(place_of(machine, slot));
  order.metrics = evaluate(matrix, traffic.graph, machine, mapping);
  order.ratio = goal_ratio(goal, *order.metrics, *present.metrics);
  order.level_bytes = level_bytes(matrix, levels, mapping);
  order.hosts = host_traffic(matrix, machine, mapping, data.machine->hosts);
}

void add_talkers(const Traffic& traffic, const Machine* machine, const MachineLevels* levels,
                 ReportData& data) {
  data.talkers = biggest_talkers(traffic.graph, most_talkers);
  if (machine == nullptr) return;
  const Mapping& present = *data.orders.front().mapping;
  for (Talker& pair : data.talkers) {
    const Slot a = present[pair.a];
    const Slot b = present[pair.b];
    pair.host_a = machine->node_name(machine->node_of(a));
    pair.host_b = machine->node_name(machine->node_of(b));
    const std::size_t level = levels->of(a, b);
    pair.level = level == levels->count() ? HeatCell::same_slot : static_cast<int>(level);
  }
}

}  // namespace

void add_orders(const ReportCommand& command, const ReportWishes& wishes, const Traffic& traffic,
                const Machine* machine, ReportData& data) {
  const std::uint32_t ranks = traffic.graph.ranks();
  if (machine == nullptr) {
    ReportOrder present;
    present.id = "present";
    present.name = "by rank";
    present.axis = axis_by_rank(ranks);
    data.orders.push_back(std::move(present));
    data.missing.push_back(
        {"machine", "The trace does not describe a machine; --topology names one."});
    add_talkers(traffic, nullptr, nullptr, data);
    return;
  }
  (void)wishes;
  const Goal goal = chosen_goal(wishes.goal, *machine);
  const MachineLevels levels(*machine);
  data.objective = goal.name();
  data.orders.push_back(
      order_of("present", "present order",
               identity_mapping(ranks, *machine, even_capacity(ranks, *machine))));
  for (std::size_t i = 0; i < command.mappings.size(); ++i) {
    const std::string& file = command.mappings[i];
    data.orders.push_back(order_of(fmt::format("mapping:{}", i),
                                   std::filesystem::path(file).filename().string(),
                                   read_fitting_mapping(file, ranks, *machine)));
    data.orders.back().file = file;
  }
  add_machine(*machine, levels, data);
  for (ReportOrder& order : data.orders)
    evaluate_order(traffic, *machine, levels, goal, data, order);
  add_talkers(traffic, machine, &levels, data);
}

}  // namespace kith::tools
