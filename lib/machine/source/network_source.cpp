// Networks with a formula for their hops, with or without a tree in each node.
// torus:16x16x16, mesh:8x8, hypercube:10, torus:16x12x24/2x8
#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"
#include "machine/source/spec_numbers.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

std::unique_ptr<Machine> grid_machine(GridNetwork::Kind kind, std::vector<std::uint32_t> extents,
                                      std::vector<std::uint32_t> node_arities,
                                      const SpecRequest& request) {
  std::uint64_t nodes = 1;
  for (const std::uint32_t extent : extents) {
    nodes *= extent;
    if (nodes > max_index_count) {
      throw bad_input(request.option, "at most " + std::to_string(max_index_count) + " nodes",
                      "more in \"" + request.spec + "\"");
    }
  }
  return std::make_unique<NetworkMachine>(std::make_shared<GridNetwork>(kind, std::move(extents)),
                                          std::move(node_arities), request.spec);
}

std::unique_ptr<Machine> read_grid(GridNetwork::Kind kind, const std::string& example,
                                   const SpecRequest& request) {
  const NetworkBody body = split_network_body(request);
  auto extents = parse_arities(body.network, "positive extents such as " + example, request);
  return grid_machine(kind, std::move(extents), body.node_arities, request);
}

}  // namespace

std::unique_ptr<Machine> read_torus(const SpecRequest& request) {
  return read_grid(GridNetwork::Kind::torus, "torus:16x12x24 or torus:16x12x24/2x8", request);
}

std::unique_ptr<Machine> read_mesh(const SpecRequest& request) {
  return read_grid(GridNetwork::Kind::mesh, "mesh:8x8 or mesh:8x8/2x8", request);
}

std::unique_ptr<Machine> read_hypercube(const SpecRequest& request) {
  const NetworkBody body = split_network_body(request);
  const auto dimension = parse_arities(body.network, "a dimension such as hypercube:10", request);
  if (dimension.size() != 1 || dimension[0] > 31) {
    throw bad_input(request.option, "one dimension of at most 31, such as hypercube:10",
                    "\"" + request.spec + "\"");
  }
  return grid_machine(GridNetwork::Kind::hypercube, std::vector<std::uint32_t>(dimension[0], 2),
                      body.node_arities, request);
}

// dragonfly:GROUPS,ROUTERS,NODES[,palmtree|absolute]; with a tree in each node: dragonfly:9,4,2/2x8

namespace {

using Arrangement = DragonflyNetwork::Arrangement;

Error unusable_dragonfly(const SpecRequest& request) {
  return bad_input(request.option,
                   "groups, routers of a group, nodes of a router and, optionally, palmtree or "
                   "absolute, such as dragonfly:9,4,2 or dragonfly:9,4,2,absolute",
                   in_quotes(request.spec));
}

std::uint32_t read_number(std::string_view text, const SpecRequest& request) {
  const auto value = parse_unsigned(text);
  if (!value || *value == 0 || *value > max_index_count) throw unusable_dragonfly(request);
  return static_cast<std::uint32_t>(*value);
}

Arrangement read_arrangement(std::string_view text, const SpecRequest& request) {
  if (text == "palmtree") return Arrangement::palmtree;
  if (text == "absolute") return Arrangement::absolute;
  throw unusable_dragonfly(request);
}

}  // namespace

std::unique_ptr<Machine> read_dragonfly(const SpecRequest& request) {
  const NetworkBody body = split_network_body(request);
  const auto parts = split(body.network, ',');
  if (parts.size() < 3 || parts.size() > 4) throw unusable_dragonfly(request);
  const std::uint32_t groups = read_number(parts[0], request);
  const std::uint32_t routers = read_number(parts[1], request);
  const std::uint32_t nodes = read_number(parts[2], request);
  const Arrangement arrangement =
      parts.size() == 4 ? read_arrangement(parts[3], request) : Arrangement::palmtree;
  const std::uint64_t all_routers = std::uint64_t{groups} * routers;
  if (all_routers > max_index_count || all_routers * nodes > max_index_count) {
    throw bad_input(request.option, "at most " + std::to_string(max_index_count) + " nodes",
                    "more in " + in_quotes(request.spec));
  }
  return std::make_unique<NetworkMachine>(
      std::make_shared<DragonflyNetwork>(groups, routers, nodes, arrangement), body.node_arities,
      request.spec);
}

}  // namespace kith
