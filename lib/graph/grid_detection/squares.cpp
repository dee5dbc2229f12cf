#include "graph/grid_detection/squares.hpp"

#include <algorithm>

#include "graph/grid_detection/connected_graph.hpp"

namespace kith {
namespace {

/// Two edges that meet in a corner of a square.
struct Corner {
  std::uint32_t one;
  std::uint32_t other;
};

/// Looks at a few vertices only: are all edges in squares, as in a grid, or none, as in a line?
bool is_worth_a_search(const ConnectedGraph& graph, SquareFinder& squares) {
  constexpr std::uint32_t sample = 300;
  constexpr std::uint32_t most_on_a_line = 4;
  std::uint64_t edges = 0;
  std::uint64_t in_squares = 0;
  std::vector<std::uint32_t> met;
  const std::uint32_t stride = graph.vertices() / std::min(sample, graph.vertices());
  for (std::uint32_t v = 0; v < graph.vertices(); v += stride) {
    met.clear();
    squares.for_each_at(v, false, [&](const Square& square) {
      met.push_back(square.v_u);
      met.push_back(square.v_w);
    });
    std::ranges::sort(met);
    in_squares += static_cast<std::uint64_t>(std::unique(met.begin(), met.end()) - met.begin());
    edges += graph.degree(v);
  }
  return 3 * in_squares >= 2 * edges ||
         graph.edges() <= most_on_a_line / 2 * std::uint64_t{graph.vertices()};
}

}  // namespace

std::optional<ParallelEdges> find_parallel_edges(const ConnectedGraph& graph,
                                                 const StopCheck& stop) {
  SquareFinder squares(graph);
  if (!is_worth_a_search(graph, squares)) return std::nullopt;
  DisjointSets parallel(graph.edges());
  std::vector<Corner> corners;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    stop();
    squares.for_each_at(v, true, [&](const Square& square) {
      parallel.unite(square.v_u, square.w_x);
      parallel.unite(square.v_w, square.u_x);
      corners.push_back({square.v_u, square.v_w});
    });
  }
  ParallelEdges result;
  result.class_of.assign(graph.edges(), ParallelEdges::none);
  std::vector<std::uint32_t> class_at(graph.edges(), ParallelEdges::none);  // by lowest edge
  const auto class_of_set = [&](std::uint32_t edge) {
    std::uint32_t& number = class_at[parallel.find(edge)];
    if (number == ParallelEdges::none) number = result.classes++;
    return number;
  };
  for (const Corner& corner : corners) {
    stop();
    const std::uint32_t a = class_of_set(corner.one);
    const std::uint32_t b = class_of_set(corner.other);
    result.crossings.emplace_back(std::min(a, b), std::max(a, b));
  }
  for (std::uint32_t edge = 0; edge < graph.edges(); ++edge) {
    result.class_of[edge] = class_at[parallel.find(edge)];
  }
  auto& crossings = result.crossings;
  std::ranges::sort(crossings);
  const auto repeated = std::unique(crossings.begin(), crossings.end());
  crossings.erase(repeated, crossings.end());
  const std::size_t one_way = crossings.size();
  for (std::size_t i = 0; i < one_way; ++i) {
    if (crossings[i].first != crossings[i].second) {
      crossings.emplace_back(crossings[i].second, crossings[i].first);
    }
  }
  std::ranges::sort(crossings);
  return result;
}

}  // namespace kith
