#include "kith/graph_network.hpp"

#include <algorithm>
#include <limits>

#include "kith/error.hpp"
#include "machine/model/distance_rows.hpp"
#include "machine/model/graph_search.hpp"

namespace kith {
namespace {

void check(const NetworkGraph& graph, std::string_view where) {
  if (graph.nodes == 0 || graph.vertices < graph.nodes) {
    throw bad_input(
        where, "a network with at least one node, each of them a vertex",
        std::to_string(graph.nodes) + " nodes, " + std::to_string(graph.vertices) + " vertices");
  }
  const std::uint64_t shortest = graph.lengths_are_costs ? 0 : 1;
  // No sum along a way exceeds 63 bits.
  const std::uint64_t longest = (std::uint64_t{1} << 62) / graph.vertices;
  for (const NetworkGraph::Edge& edge : graph.edges) {
    if (edge.a >= graph.vertices || edge.b >= graph.vertices) {
      throw bad_input(where, "edges between vertices below " + std::to_string(graph.vertices),
                      std::to_string(std::max(edge.a, edge.b)));
    }
    if (edge.length < shortest || edge.length > longest) {
      throw bad_input(where,
                      "lengths from " + std::to_string(shortest) + " to " + std::to_string(longest),
                      std::to_string(edge.length));
    }
  }
}

void check_connected(const GraphSearch& search, std::string_view where) {
  const auto hops = search.edges_from(0);
  const auto apart = std::ranges::find(hops, GraphSearch::unreached);
  if (apart == hops.end()) return;
  throw bad_input(where, "a network whose nodes are all connected",
                  "no way from node 0 to node " + std::to_string(apart - hops.begin()));
}

}  // namespace

GraphNetwork::GraphNetwork(NetworkGraph graph, std::string_view where, std::size_t cache_bytes)
    : kind_(std::move(graph.kind)),
      has_costs_(graph.lengths_are_costs),
      cost_scale_(graph.cost_scale) {
  check(graph, where);
  nodes_ = graph.nodes;
  search_ = std::make_unique<GraphSearch>(graph);
  graph.edges = {};
  check_connected(*search_, where);
  lowest_cost_ = search_->least_length();
  const GraphSearch& search = *search_;
  const auto least_sums = [&search](std::uint32_t node) { return search.lengths_from(node); };
  const auto fewest_edges = [&search](std::uint32_t node) { return search.edges_from(node); };
  if (has_costs_) {
    hops_ = std::make_unique<DistanceRows>(nodes_, cache_bytes, fewest_edges);
    costs_ = std::make_unique<DistanceRows>(nodes_, cache_bytes, least_sums);
  } else {
    hops_ = std::make_unique<DistanceRows>(nodes_, cache_bytes, least_sums);
  }
}

GraphNetwork::~GraphNetwork() = default;

std::uint64_t GraphNetwork::hops(std::uint32_t a, std::uint32_t b) const {
  return a == b ? 0 : hops_->at(a, b);
}

std::uint64_t GraphNetwork::cost(std::uint32_t a, std::uint32_t b) const {
  if (!has_costs_) return hops(a, b);
  return a == b ? 0 : costs_->at(a, b);
}

void GraphNetwork::nearest(std::uint32_t node, std::size_t most,
                           std::vector<std::uint32_t>& out) const {
  search_->nearest(node, most, out);
}

}  // namespace kith
