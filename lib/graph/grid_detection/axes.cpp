#include "graph/grid_detection/axes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

namespace kith {

namespace {

std::size_t points(Stencil stencil, std::size_t dimensions) {
  const std::size_t faces = 2 * dimensions;
  switch (stencil) {
    case Stencil::faces:
      break;
    case Stencil::faces_and_edges:
      return 1 + faces + 2 * dimensions * (dimensions - 1);
    case Stencil::corners: {
      std::size_t box = 1;
      for (std::size_t d = 0; d < dimensions; ++d) box *= 3;
      return box;
    }
    case Stencil::star:
      return 1 + 2 * faces;
  }
  return 1 + faces;
}

}  // namespace

bool belongs(Stencil stencil, const Offset& steps) {
  const auto axes = std::ranges::count_if(steps, [](int step) { return step != 0; });
  const bool near = std::ranges::all_of(steps, [](int step) { return std::abs(step) <= 1; });
  switch (stencil) {
    case Stencil::faces:
      return axes == 1 && near;
    case Stencil::faces_and_edges:
      return (axes == 1 || axes == 2) && near;
    case Stencil::corners:
      return axes > 0 && near;
    case Stencil::star:
      return axes == 1;
  }
  return false;
}

std::string stencil_name(Stencil stencil, std::size_t dimensions) {
  const bool ambiguous = stencil == Stencil::star && dimensions == 2;
  return std::to_string(points(stencil, dimensions)) + (ambiguous ? "-point star" : "-point");
}

namespace {

constexpr std::uint32_t base = 2 * Offsets::reach + 1;

}  // namespace

Offsets::Offsets(std::vector<std::uint32_t> extents, std::vector<bool> periodic)
    : extents_(std::move(extents)), periodic_(std::move(periodic)) {
  std::size_t numbers = 1;
  for (std::size_t d = 0; d < extents_.size(); ++d) numbers *= base;
  canonical_.resize(numbers);
  pairs_.assign(numbers, 0);
  for (std::uint32_t n = 0; n < numbers; ++n) {
    Offset inverse = steps(n);
    const bool usual = wrapped(inverse) == inverse;
    for (int& step : inverse) step = -step;
    const std::uint32_t other = number(wrapped(inverse));
    canonical_[n] = std::max(n, other);
    if (usual && canonical_[n] == n) pairs_[n] = pairs_of(steps(n));
  }
}

std::uint32_t Offsets::between(std::span<const std::uint32_t> a,
                               std::span<const std::uint32_t> b) const {
  std::uint32_t n = 0;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    const std::int64_t extent = extents_[d];
    std::int64_t step = std::int64_t{b[d]} - a[d];
    if (periodic_[d]) {
      if (2 * step > extent) step -= extent;
      if (2 * step <= -extent) step += extent;
    }
    if (step > reach || step < -reach) return far;
    n = n * base + static_cast<std::uint32_t>(step + reach);
  }
  return canonical_[n];
}

Offset Offsets::steps(std::uint32_t offset) const {
  Offset steps{};
  for (std::size_t d = extents_.size(); d-- > 0;) {
    steps[d] = static_cast<int>(offset % base) - reach;
    offset /= base;
  }
  return steps;
}

std::uint32_t Offsets::number(const Offset& steps) const {
  std::uint32_t n = 0;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    n = n * base + static_cast<std::uint32_t>(steps[d] + reach);
  }
  return n;
}

/// Of the ways around a ring the shorter one, forwards where both are as long.
Offset Offsets::wrapped(Offset steps) const {
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    if (!periodic_[d]) continue;
    const int extent = static_cast<int>(std::min<std::uint32_t>(extents_[d], 4 * reach));
    if (2 * steps[d] > extent) steps[d] -= extent;
    if (2 * steps[d] <= -extent) steps[d] += extent;
  }
  return steps;
}

std::uint64_t Offsets::pairs_of(const Offset& steps) const {
  std::uint64_t starts = 1;
  bool own_inverse = true;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    const auto length = static_cast<std::uint32_t>(std::abs(steps[d]));
    if (periodic_[d]) {
      starts *= extents_[d];
      own_inverse &= length == 0 || 2 * length == extents_[d];
    } else {
      starts *= extents_[d] > length ? extents_[d] - length : 0;
      own_inverse &= length == 0;
    }
  }
  return own_inverse ? starts / 2 : starts;
}

namespace {

// The order of the places along one dimension.

constexpr std::size_t most_neighbours = 4;

/// Walks along the line, always on to a place that was not yet met.
class Line {
 public:
  explicit Line(const Factor& factor) : around_(factor.size) {
    for (const auto& [a, b] : factor.edges) {
      around_[a].push_back(b);
      around_[b].push_back(a);
    }
  }

  std::vector<std::uint32_t> order() {
    const auto fewest = std::ranges::min_element(around_, {}, &Places::size);
    const auto busiest = std::ranges::max_element(around_, {}, &Places::size);
    if (fewest->empty() || busiest->size() > most_neighbours) return {};
    const auto start = static_cast<std::uint32_t>(fewest - around_.begin());
    if (busiest->size() <= 2) return walk({start, around_[start][0]}, 1);
    for (const std::uint32_t second : around_[start]) {
      for (const std::uint32_t third : around_[start]) {
        if (third == second || !adjacent(second, third)) continue;
        auto coordinates = walk({start, second, third}, 2);
        if (!coordinates.empty()) return coordinates;
      }
    }
    return {};
  }

 private:
  using Places = std::vector<std::uint32_t>;

  bool adjacent(std::uint32_t a, std::uint32_t b) const {
    return std::ranges::find(around_[a], b) != around_[a].end();
  }

  /// Coordinates when every place is met; each next one talks to the last `reach`.
  std::vector<std::uint32_t> walk(Places path, std::size_t reach) const {
    constexpr std::uint32_t unmet = UINT32_MAX;
    std::vector<std::uint32_t> coordinate(around_.size(), unmet);
    for (std::uint32_t i = 0; i < path.size(); ++i) coordinate[path[i]] = i;
    while (path.size() < around_.size()) {
      const auto& ahead = around_[path.back()];
      const auto next = std::ranges::find_if(ahead, [&](std::uint32_t place) {
        return coordinate[place] == unmet && (reach == 1 || adjacent(place, path[path.size() - 2]));
      });
      if (next == ahead.end()) return {};
      coordinate[*next] = static_cast<std::uint32_t>(path.size());
      path.push_back(*next);
    }
    return coordinate;
  }

  std::vector<Places> around_;
};

/// By place of the factor: its coordinate, when the factor is a line or a ring whose members talk
/// to the next one, or to the next two. Empty for any other graph. O(size).
std::vector<std::uint32_t> line_order(const Factor& factor) {
  return Line(factor).order();
}

std::vector<std::size_t> axes_of_two(const std::vector<Axis>& axes) {
  std::vector<std::size_t> twos;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (axes[a].extent == 2) twos.push_back(a);
  }
  return twos;
}

/// Adds `begun` with every way to pair the axes that are `left`; of an odd number one stays.
void add_pairings(std::vector<std::size_t> left, Joining begun, std::vector<Joining>& joinings) {
  if (left.size() < 2) {
    joinings.push_back(std::move(begun));
    return;
  }
  const std::size_t first = left.front();
  for (std::size_t i = 1; i < left.size(); ++i) {
    std::vector<std::size_t> others(left.begin() + 1, left.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    Joining joined = begun;
    joined.emplace_back(first, left[i]);
    add_pairings(std::move(others), std::move(joined), joinings);
  }
  if (left.size() % 2 == 1) {
    add_pairings({left.begin() + 1, left.end()}, std::move(begun), joinings);
  }
}

/// Pairs of like weight; `twos` are sorted by it.
Joining alike_joined(const std::vector<Axis>& axes, const std::vector<std::size_t>& twos) {
  constexpr double alike = 1.3;
  Joining joined;
  for (std::size_t i = 0; i + 1 < twos.size(); ++i) {
    if (axes[twos[i]].mean_weight >= alike * axes[twos[i + 1]].mean_weight) continue;
    joined.emplace_back(twos[i], twos[i + 1]);
    ++i;
  }
  return joined;
}

/// A dimension of the candidate: one axis, or two as a ring of four.
struct Column {
  std::uint32_t extent;
  const Axis* axis;
  const Axis* joined;

  std::uint32_t coordinate(std::uint32_t v) const {
    const std::uint32_t x = axis->coordinate[v];
    return joined == nullptr ? x : 2 * x + (x ^ joined->coordinate[v]);
  }
};

std::vector<Column> columns_of(const std::vector<Axis>& axes, const Joining& joining) {
  std::vector<bool> used(axes.size(), false);
  std::vector<Column> columns;
  for (const auto& [a, b] : joining) {
    columns.push_back({4, &axes[a], &axes[b]});
    used[a] = used[b] = true;
  }
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (!used[a]) columns.push_back({axes[a].extent, &axes[a], nullptr});
  }
  std::ranges::stable_sort(columns, std::ranges::greater{}, &Column::extent);
  return columns;
}

/// Each factor in its order; empty where one is no line and no ring.
std::vector<Axis> in_line(std::vector<Factor>& factors) {
  std::vector<Axis> axes;
  for (Factor& factor : factors) {
    const auto order = line_order(factor);
    if (order.empty()) return {};
    Axis axis{factor.size, std::move(factor.place), factor.edges.size() >= factor.size,
              factor.mean_weight};
    for (std::uint32_t& place : axis.coordinate) place = order[place];
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace

std::vector<Axis> find_axes(const ConnectedGraph& graph, const StopCheck& stop) {
  std::vector<Axis> axes;
  for (auto& factors : find_factors(graph, 2 * max_grid_dimensions, stop)) {
    axes = in_line(factors);
    if (!axes.empty()) break;
  }
  std::ranges::stable_sort(axes, [](const Axis& a, const Axis& b) {
    return std::pair{a.extent, a.mean_weight} > std::pair{b.extent, b.mean_weight};
  });
  return axes;
}

std::vector<Joining> usual_joinings(const std::vector<Axis>& axes) {
  const std::vector<std::size_t> twos = axes_of_two(axes);
  if (twos.size() < 2) return {{}};
  const Joining joined = alike_joined(axes, twos);
  constexpr std::size_t usual_dimensions = 3;
  const bool in_torus =
      twos.size() < axes.size() &&
      std::ranges::all_of(axes, [](const Axis& axis) { return axis.extent == 2 || axis.is_ring; });
  if (in_torus || axes.size() > usual_dimensions) return {joined, {}};
  return {{}, joined};
}

std::vector<Joining> all_joinings(const std::vector<Axis>& axes) {
  std::vector<Joining> joinings;
  add_pairings(axes_of_two(axes), {}, joinings);
  if (!joinings.front().empty()) joinings.push_back({});
  return joinings;
}

GridCandidate to_candidate(const std::vector<Axis>& axes, const Joining& joining,
                           const ConnectedGraph& part) {
  const std::vector<Column> columns = columns_of(axes, joining);
  GridCandidate candidate;
  if (columns.size() > max_grid_dimensions) return candidate;
  for (const Column& column : columns) candidate.extents.push_back(column.extent);
  candidate.positions.resize(std::size_t{part.vertices()} * columns.size());
  for (std::uint32_t v = 0; v < part.vertices(); ++v) {
    const std::size_t first = std::size_t{part.rank_of(v).value} * columns.size();
    for (std::size_t d = 0; d < columns.size(); ++d) {
      candidate.positions[first + d] = columns[d].coordinate(v);
    }
  }
  return candidate;
}

}  // namespace kith
