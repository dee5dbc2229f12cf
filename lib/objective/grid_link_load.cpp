#include "objective/grid_link_load.hpp"

#include <algorithm>
#include <map>

namespace kith {
namespace {

/// Numbers over a long axis, given by where they change. Adding wraps around, so that an interval
/// may be taken away at its end.
class Steps {
 public:
  Steps(std::uint64_t axis, bool dense) : change_(dense ? axis + 1 : 0) {}

  void add(std::uint64_t first, std::uint64_t end, std::uint64_t weight) {
    at(first) += weight;
    at(end) -= weight;
  }

  std::uint64_t largest() const {
    std::uint64_t level = 0;
    std::uint64_t most = 0;
    const auto step = [&](std::uint64_t change) {
      level += change;
      most = std::max(most, level);
    };
    for (const std::uint64_t change : change_) step(change);
    for (const auto& [place, change] : sparse_) step(change);
    return most;
  }

 private:
  std::uint64_t& at(std::uint64_t place) {
    return change_.empty() ? sparse_[place] : change_[place];
  }

  std::vector<std::uint64_t> change_;  // empty: in sparse_
  std::map<std::uint64_t, std::uint64_t> sparse_;
};

/// The links along one dimension. A link is known by the node where it begins; those of a line
/// through the grid stand beside each other.
class DimensionLinks {
 public:
  DimensionLinks(const GridNetwork& grid, std::size_t dimension, bool dense)
      : extent_(grid.extents()[dimension]),
        periodic_(grid.periodic()),
        up_(grid.nodes(), dense),
        down_(grid.nodes(), dense) {
    for (std::size_t d = dimension + 1; d < grid.extents().size(); ++d) {
      stride_ *= grid.extents()[d];
    }
  }

  /// A message: when its turn comes for this dimension, it has the coordinates of its destination
  /// in those before and of its source in those behind.
  void add(std::uint32_t from, std::uint32_t to, std::uint64_t weight) {
    const std::uint32_t begin = from / stride_ % extent_;
    const std::uint32_t end = to / stride_ % extent_;
    if (begin == end) return;
    const std::uint64_t line =
        (std::uint64_t{to / stride_ / extent_} * stride_ + from % stride_) * extent_;
    const std::uint32_t upwards = end > begin ? end - begin : end + (extent_ - begin);
    const bool goes_up = periodic_ ? upwards <= extent_ - upwards : end > begin;
    if (goes_up) {
      add_around(up_, line, begin, upwards, weight);
    } else {
      // Downwards the last link begins one above the end.
      add_around(down_, line, (end + 1) % extent_, extent_ - upwards, weight);
    }
  }

  std::uint64_t busiest() const { return std::max(up_.largest(), down_.largest()); }

 private:
  /// `count` links of a line from `first` on, around its end where need be.
  void add_around(Steps& steps, std::uint64_t line, std::uint64_t first, std::uint64_t count,
                  std::uint64_t weight) const {
    const std::uint64_t before_end = std::min(count, extent_ - first);
    steps.add(line + first, line + first + before_end, weight);
    if (count > before_end) steps.add(line, line + count - before_end, weight);
  }

  std::uint32_t extent_;
  std::uint32_t stride_ = 1;
  bool periodic_;
  Steps up_;
  Steps down_;
};

}  // namespace

std::uint64_t max_grid_link_load(const TrafficMatrix& matrix, const GridNetwork& grid,
                                 const std::vector<std::uint32_t>& node_of_rank) {
  constexpr std::uint64_t few = std::uint64_t{1} << 20;
  const bool dense = grid.nodes() <= few + 4 * matrix.entries();
  std::uint64_t busiest = 0;
  for (std::size_t d = 0; d < grid.extents().size(); ++d) {
    DimensionLinks links(grid, d, dense);
    for (Rank source(0); source.value < matrix.ranks(); ++source) {
      const auto destinations = matrix.destinations(source);
      const auto weights = matrix.weights(source);
      const std::uint32_t from = node_of_rank[source.value];
      for (std::size_t i = 0; i < destinations.size(); ++i) {
        links.add(from, node_of_rank[destinations[i].value], weights[i]);
      }
    }
    busiest = std::max(busiest, links.busiest());
  }
  return busiest;
}

}  // namespace kith
