#include "graph/grid_detection/line_order.hpp"

#include <algorithm>

namespace kith {
namespace {

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

}  // namespace

std::vector<std::uint32_t> line_order(const Factor& factor) {
  return Line(factor).order();
}

}  // namespace kith
