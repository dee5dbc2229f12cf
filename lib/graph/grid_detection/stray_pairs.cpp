#include "graph/grid_detection/stray_pairs.hpp"

#include <algorithm>
#include <vector>

#include "graph/grid_detection/squares.hpp"

namespace kith {

std::optional<ConnectedGraph> without_strays(const ConnectedGraph& graph, const StopCheck& stop) {
  constexpr std::int64_t most = 8;  // one in so many
  SquareFinder squares(graph);
  std::vector<bool> keep(graph.edges(), false);
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    stop();
    squares.for_each_at(v, true, [&](const Square& square) {
      for (const std::uint32_t side : {square.v_u, square.u_x, square.v_w, square.w_x}) {
        keep[side] = true;
      }
    });
  }
  const auto strays = std::ranges::count(keep, false);
  if (strays == 0 || most * strays > std::int64_t{graph.edges()}) return std::nullopt;
  return graph.with_only(keep);
}

}  // namespace kith
