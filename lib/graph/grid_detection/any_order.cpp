#include "graph/grid_detection/grid_proposals.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "graph/grid_detection/axes.hpp"
#include "graph/grid_detection/connected_graph.hpp"

namespace kith {
namespace {

// From a stencil with faces and edges (3D 19-point) to the one with corners too.

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

/// Joins the opposite corners of all cubes: two vertices that do not talk and know six others in
/// common, each of which talks to four of the six. Nothing where there is no cube, or more corners
/// than a grid has. O(sum of squared degrees).
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

bool propose(const std::vector<Axis>& axes, const std::vector<Joining>& joinings,
             const ConnectedGraph& part, const Judge& judge) {
  if (axes.empty()) return false;
  return std::ranges::any_of(joinings, [&](const Joining& joining) {
    const GridCandidate candidate = to_candidate(axes, joining, part);
    return !candidate.extents.empty() && judge(candidate);
  });
}

/// Members of each set numbered from 0; empty unless all sets are of one size.
std::vector<std::uint32_t> numbers_in_sets(const NumberedSets& sets) {
  std::vector<std::uint32_t> met(sets.count, 0);
  std::vector<std::uint32_t> number(sets.of.size());
  for (std::size_t v = 0; v < number.size(); ++v) number[v] = met[sets.of[v]]++;
  const bool even = std::ranges::all_of(met, [&](std::uint32_t size) { return size == met[0]; });
  return even ? number : std::vector<std::uint32_t>{};
}

/// Twins fill dimensions of two points, or rings of three; how is all the same. False where their
/// number does not allow that.
bool add_twin_axes(const NumberedSets& twins, std::vector<Axis>& axes) {
  std::vector<std::uint32_t> number = numbers_in_sets(twins);
  if (number.empty()) return false;
  auto left = static_cast<std::uint32_t>(number.size() / twins.count);
  for (const std::uint32_t extent : {3U, 2U}) {
    for (; left % extent == 0; left /= extent) {
      Axis axis{extent, number, extent == 3, 0};
      for (std::uint32_t& n : axis.coordinate) n %= extent;
      for (std::uint32_t& n : number) n /= extent;
      axes.push_back(std::move(axis));
    }
  }
  return left == 1;
}

/// `part` is all neighbours of a stencil with corners.
bool propose_from_box(const ConnectedGraph& part, const Judge& judge, const StopCheck& stop) {
  const auto skeleton = find_skeleton(part, stop);
  if (!skeleton || skeleton->graph.vertices() < 2) return false;
  std::vector<Axis> axes = find_axes(skeleton->graph, stop);
  for (Axis& axis : axes) {
    std::vector<std::uint32_t> coordinate(part.vertices());
    for (std::uint32_t v = 0; v < part.vertices(); ++v) {
      coordinate[v] = axis.coordinate[skeleton->twins.of[v]];
    }
    axis.coordinate = std::move(coordinate);
  }
  const std::vector<Joining> joinings = all_joinings(axes);  // twins are not to be joined
  if (axes.empty() || !add_twin_axes(skeleton->twins, axes)) return false;
  return propose(axes, joinings, part, judge);
}

/// Two points in three at least have as many neighbours as stencils give: all within one step
/// (2 or 3 along each dimension), except for corners in three dimensions.
bool may_be_neighbours(const ConnectedGraph& part) {
  constexpr std::array with_all{1, 2, 3, 5, 7, 8, 11, 15, 17, 23, 26, 35, 53, 80};
  constexpr std::array without_corners{6, 9, 13, 18};
  std::uint64_t usual = 0;
  for (std::uint32_t v = 0; v < part.vertices(); ++v) {
    const auto degree = static_cast<int>(part.degree(v));
    usual += std::ranges::binary_search(with_all, degree) ||
             std::ranges::binary_search(without_corners, degree);
  }
  return 3 * usual >= 2 * std::uint64_t{part.vertices()};
}

}  // namespace

bool propose_from_faces(const ConnectedGraph& part, const Judge& judge, const StopCheck& stop) {
  const std::vector<Axis> axes = find_axes(part, stop);
  return propose(axes, usual_joinings(axes), part, judge);
}

bool propose_from_neighbours(const ConnectedGraph& part, const Judge& judge,
                             const StopCheck& stop) {
  if (!may_be_neighbours(part)) return false;
  if (propose_from_box(part, judge, stop)) return true;
  const auto completed = with_corners(part, stop);
  return completed && propose_from_box(*completed, judge, stop);
}

}  // namespace kith
