#include "graph/grid_detection/missing_corners.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace kith {
namespace {

constexpr std::size_t cube_rest = 6;  // corners of a cube except for two opposite ones

class CornerFinder {
 public:
  explicit CornerFinder(const ConnectedGraph& graph) : graph_(graph), paths_(graph.vertices(), 0) {}

  /// Higher vertices across a cube from `v`, ascending.
  std::vector<std::uint32_t> opposite(std::uint32_t v) {
    std::vector<std::uint32_t> reached;
    for (const std::uint32_t by : graph_.neighbours(v)) {
      for (const std::uint32_t end : graph_.neighbours(by)) {
        if (end > v && paths_[end]++ == 0) reached.push_back(end);
      }
    }
    std::vector<std::uint32_t> found;
    for (const std::uint32_t end : reached) {
      if (paths_[end] == cube_rest && !adjacent(v, end) && across_cube(v, end)) {
        found.push_back(end);
      }
      paths_[end] = 0;
    }
    std::ranges::sort(found);
    return found;
  }

 private:
  bool adjacent(std::uint32_t a, std::uint32_t b) const {
    return std::ranges::binary_search(graph_.neighbours(a), b);
  }

  bool across_cube(std::uint32_t a, std::uint32_t b) const {
    std::array<std::uint32_t, cube_rest> rest{};
    std::size_t next = 0;
    for_each_common(graph_.neighbours(a), graph_.neighbours(b), [&](std::size_t at_a, std::size_t) {
      rest[next++] = graph_.neighbours(a)[at_a];
    });
    return std::ranges::all_of(rest, [&](std::uint32_t one) {
      return std::ranges::count_if(rest,
                                   [&](std::uint32_t other) { return adjacent(one, other); }) == 4;
    });
  }

  const ConnectedGraph& graph_;
  std::vector<std::uint32_t> paths_;  ///< to the vertex at hand, in two steps
};

}  // namespace

std::optional<ConnectedGraph> with_corners(const ConnectedGraph& graph, const StopCheck& stop) {
  constexpr std::uint64_t most_corners = 4;  // of a point, counted from one end
  CornerFinder finder(graph);
  std::vector<ConnectedGraph::Pair> corners;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    stop();
    for (const std::uint32_t other : finder.opposite(v)) corners.push_back({v, other});
    if (corners.size() > most_corners * graph.vertices()) return std::nullopt;
  }
  if (corners.empty()) return std::nullopt;
  return graph.with_more(corners);
}

}  // namespace kith
