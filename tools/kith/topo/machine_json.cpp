#include "io/format/json_text.hpp"
#include "metrics_output.hpp"
#include "topo/node_distances.hpp"
#include "topo/picture.hpp"

namespace kith::tools {
namespace {

/// `trees`: how many of them the machine has; `scale`: of their costs.
void put_levels(JsonText& json, const TreeMachine& tree, std::uint64_t trees, std::uint64_t scale) {
  for (const Level& level : tree.levels()) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(level.name);
    json.key("count").value(level.objects * trees);
    put_quantity(json.key("cost"), {level.cost, scale});
    if (level.latency_us > 0) json.key("latency_us").value(level.latency_us);
    if (level.megabytes_per_s > 0) json.key("megabytes_per_s").value(level.megabytes_per_s);
    json.end_object();
  }
}

void put_dragonfly(JsonText& json, const DragonflyNetwork& network) {
  const bool palmtree = network.arrangement() == DragonflyNetwork::Arrangement::palmtree;
  json.key("groups").value(network.groups());
  json.key("routers").value(network.routers());
  json.key("arrangement").value(palmtree ? "palmtree" : "absolute");
}

/// Of the nodes of a network.
void put_costs(JsonText& json, const Network& network) {
  if (network.nodes() < 2) return;
  const Spread costs = node_distances(network).costs;
  json.key("average_cost").value(costs.average());
  put_quantity(json.key("least_cost"), costs.least());
  put_quantity(json.key("most_cost"), costs.most());
}

}  // namespace

std::string machine_json(const Machine& machine) {
  const TreeMachine* const tree = machine.as_tree();
  const NetworkMachine* const network = machine.as_network();
  JsonText json;
  json.begin_object();
  json.key("kind").value(machine.kind());
  json.key("slots").value(machine.slots());
  json.key("pus").value(machine.pus());
  json.key("nodes").value(machine.nodes());
  if (machine.allowed().size() != machine.slots()) {
    json.key("allowed").value(machine.allowed().size());
  }
  json.key("levels").begin_array();
  if (tree != nullptr) put_levels(json, *tree, 1, machine.cost_scale());
  if (network != nullptr && network->node_tree() != nullptr) {
    put_levels(json, *network->node_tree(), machine.nodes(), 1);
  }
  json.end_array();
  json.key("dims").begin_array(JsonLayout::line);
  for (const std::uint32_t extent : machine.dims()) json.value(extent);
  json.end_array();
  if (machine.has_costs()) json.key("costs").value(true);
  if (network != nullptr) {
    if (machine.has_costs()) put_costs(json, network->network());
    const auto* const dragonfly = dynamic_cast<const DragonflyNetwork*>(&network->network());
    if (dragonfly != nullptr) put_dragonfly(json, *dragonfly);
  }
  json.end_object();
  return json.take();
}

}  // namespace kith::tools
