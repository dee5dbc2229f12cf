// The orders that a report compares, and the machine as it pictures it.
#include "reporting/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "problem.hpp"
#include "progress.hpp"
#include "report/report_data.hpp"
#include "results.hpp"
#include "simulate/predictor.hpp"

namespace kith::tools {
namespace {

/// Of up to this many hosts traffic is told, for up to so many orders; of more orders less.
constexpr std::size_t most_hosts = 4096;
constexpr std::size_t most_orders = 4;
constexpr std::uint32_t most_listed_slots = 16384;
/// Of a level of the machine, for all orders together: three numbers each.
constexpr std::size_t most_runs = 16384;

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

/// With the hosts on which any of `mappings`, at least one, has a rank.
ReportMachine machine_view(const Machine& machine, const MachineLevels& levels,
                           std::span<const Mapping* const> mappings) {
  ReportMachine view;
  view.spec = machine.spec();
  view.kind = kind_of(machine);
  view.is_of_the_job = machine.kind() == "job";
  view.slots = machine.slots();
  view.allowed = machine.allowed().size();
  view.nodes = machine.nodes();
  view.levels.assign(levels.levels().begin(), levels.levels().end());
  view.dims = machine.dims();
  view.axis = axis_levels(machine);
  const std::size_t most = std::min(most_hosts, most_orders * most_hosts / mappings.size());
  ListedHosts listed = hosts_with_ranks(machine, mappings, most);
  view.hosts = std::move(listed.hosts);
  view.hosts_left_out = listed.left_out;
  view.slot_at = slot_at_places(machine);
  return view;
}

constexpr std::size_t most_talkers = 20;

/// What all orders have in common.
struct Scene {
  const Traffic& traffic;
  const Machine& machine;
  MachineLevels levels;
  Goal goal;
};

ReportOrder order_of(std::string id, std::string name, Mapping mapping) {
  ReportOrder order;
  order.id = std::move(id);
  order.name = std::move(name);
  order.mapping = std::move(mapping);
  return order;
}

/// Where each rank was when the trace was recorded, if that is not where the launcher put it.
std::optional<Mapping> other_order_of_record(const Trace& trace, const Machine& machine,
                                             const Mapping& launched) {
  if (!trace.job) return std::nullopt;
  auto recorded = simulate::recorded_order(*trace.job, launched.ranks(), machine);
  if (!recorded || *recorded == launched) return std::nullopt;
  return recorded;
}

/// What a job would do, as libkith.so decides it at its start.
ReorderDecision decide_as_in_a_job(const ReportCommand& command, const Scene& scene) {
  const Progress progress("looking for a better order");
  ReorderOptions options;
  options.algorithm = find_algorithm("auto");
  options.map.effort = command.effort;
  options.map.threads = command.threads;
  set_goal(options.map, command.goal.value_or(goal_of_job(scene.machine)), scene.machine);
  options.wall_seconds = comparable_wall(scene.traffic.trace);
  read_rank_facts({}, scene.traffic.trace, options.map);
  return decide_reorder(scene.traffic.trace.bytes, scene.machine, options, nullptr,
                        scene.traffic.on_wire());
}

/// Where the objects of the machine begin and end along the axes of an order.
void set_axis(const Machine& machine, const ReportData& data, ReportOrder& order) {
  order.axis = axis_by_place(*order.mapping, machine);
  std::vector<std::uint32_t> along;
  for (const Rank rank : order.axis.rank_at) along.push_back(order.places[rank.value]);
  order.is_full = along.size() == machine.slots();
  for (std::size_t p = 0; p < along.size(); ++p) order.is_full = order.is_full && along[p] == p;
  const std::size_t most = std::max<std::size_t>(most_runs / data.orders.size(), 1);
  for (const AxisLevel& level : data.machine->axis) {
    order.along.push_back(runs_along(machine, level, along, most));
  }
}

/// What follows from the mapping of an order; that of the present one has to be evaluated before.
void evaluate_order(const Scene& scene, const ReportData& data, ReportOrder& order) {
  const TrafficMatrix& matrix = scene.traffic.trace.bytes;
  const Mapping& mapping = *order.mapping;
  const ReportOrder& present = data.orders.front();
  order.moved = moved_ranks(*present.mapping, mapping);
  for (const Slot slot : mapping.slot_of) order.places.push_back(place_of(scene.machine, slot));
  set_axis(scene.machine, data, order);
  order.metrics =
      evaluate(matrix, scene.traffic.graph, scene.machine, mapping, scene.traffic.on_wire());
  order.ratio = goal_ratio(scene.goal, *order.metrics, *present.metrics);
  order.level_bytes = level_bytes(matrix, scene.levels, mapping);
  order.hosts = host_traffic(matrix, scene.machine, mapping, data.machine->hosts);
}

/// The bound allows as many ranks on a slot as the fullest slot of any order has: so it holds for
/// all orders.
void add_bound(const Scene& scene, ReportData& data) {
  std::uint32_t capacity = 1;
  for (const ReportOrder& order : data.orders) {
    capacity = std::max(capacity, most_on_a_slot(*order.mapping));
  }
  data.bound = lower_bound_of(scene.traffic, scene.machine, scene.goal, capacity);
  for (const ReportOrder& order : data.orders) {
    const auto gap = gap_above(data.bound, scene.goal, *order.metrics);
    if (gap && (!data.gap || *gap < *data.gap)) data.gap = gap;
  }
}

void add_talkers(const Scene& scene, ReportData& data) {
  const Mapping& present = *data.orders.front().mapping;
  data.talkers = biggest_talkers(scene.traffic.graph, most_talkers);
  for (Talker& pair : data.talkers) {
    const Slot a = present[pair.a];
    const Slot b = present[pair.b];
    pair.host_a = scene.machine.node_name(scene.machine.node_of(a));
    pair.host_b = scene.machine.node_name(scene.machine.node_of(b));
    const std::size_t level = scene.levels.of(a, b);
    pair.level = level == scene.levels.count() ? HeatCell::same_slot : static_cast<int>(level);
  }
}

/// Kith's order, or why there is none.
std::optional<ReorderDecision> add_kiths_order(const ReportCommand& command, const Scene& scene,
                                               ReportData& data) {
  const std::uint32_t ranks = scene.traffic.graph.ranks();
  if (scene.machine.allowed().size() < ranks) {
    data.missing.push_back(
        {"kith", fmt::format("Kith makes no order of its own for {} ranks on {} slots.", ranks,
                             scene.machine.allowed().size())});
    return std::nullopt;
  }
  ReorderDecision decision = decide_as_in_a_job(command, scene);
  if (decision.apply) {
    data.orders.push_back(order_of("kith", "Kith's order", decision.mapping));
  } else {
    data.missing.push_back({"kith", "Kith would keep the present order."});
  }
  return decision;
}

/// The file's name alone, or all of its path where another mapping has the same name.
std::string name_of_mapping(const std::vector<std::string>& files, const std::string& file) {
  const auto name = std::filesystem::path(file).filename();
  const auto same = std::ranges::count_if(files, [&](const std::string& other) {
    return std::filesystem::path(other).filename() == name;
  });
  return same > 1 ? file : name.string();
}

}  // namespace

std::optional<ReorderDecision> add_orders(const ReportCommand& command, const Traffic& traffic,
                                          const Machine& machine, ReportData& data) {
  const std::uint32_t ranks = traffic.graph.ranks();
  const Scene scene{traffic, machine, MachineLevels(machine), chosen_goal(command.goal, machine)};
  data.objective = scene.goal.name();
  const Mapping launched = identity_mapping(ranks, machine, even_capacity(ranks, machine));
  data.orders.push_back(order_of("present", "present order", launched));
  if (auto recorded = other_order_of_record(traffic.trace, machine, launched)) {
    data.orders.front().name = "launcher's order";
    data.orders.push_back(order_of("recorded", "as recorded", *std::move(recorded)));
  }
  auto decision = add_kiths_order(command, scene, data);
  for (std::size_t i = 0; i < command.mappings.size(); ++i) {
    const std::string& file = command.mappings[i];
    data.orders.push_back(order_of(fmt::format("mapping:{}", i),
                                   name_of_mapping(command.mappings, file),
                                   read_fitting_mapping(file, ranks, machine)));
    data.orders.back().file = file;
  }
  std::vector<const Mapping*> mappings;
  for (const ReportOrder& order : data.orders) mappings.push_back(&*order.mapping);
  data.machine = machine_view(machine, scene.levels, mappings);
  for (ReportOrder& order : data.orders) evaluate_order(scene, data, order);
  add_bound(scene, data);
  add_talkers(scene, data);
  return decision;
}

void add_order_by_rank(const Traffic& traffic, ReportData& data) {
  ReportOrder present;
  present.id = "present";
  present.name = "by rank";
  present.axis = axis_by_rank(traffic.graph.ranks());
  data.orders.push_back(std::move(present));
  data.missing.push_back(
      {"machine", "The trace does not describe a machine; --topology names one."});
  data.talkers = biggest_talkers(traffic.graph, most_talkers);
}

}  // namespace kith::tools
