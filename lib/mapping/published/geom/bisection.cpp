#include "mapping/published/geom/geom.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kith {
namespace {

using Indices = std::span<std::uint32_t>;

/// The points of a set that are still to be cut, always in ascending order: so ties go to the
/// lowest index, and memory is walked forwards.
class Cutter {
 public:
  explicit Cutter(const PointSet& points, std::size_t count) : points_(points), values_(count) {
    aside_.reserve(count);
  }

  /// The longest dimension of the box around some points; none where it has no length.
  std::optional<unsigned> longest_dimension(Indices indices) const {
    std::optional<unsigned> longest;
    double length = 0;
    for (unsigned d = 0; d < points_.dimensions(); ++d) {
      const auto& axis = points_.axes[d];
      double lowest = std::numeric_limits<double>::infinity();
      double highest = -lowest;
      for (const std::uint32_t i : indices) {
        lowest = std::min(lowest, axis[i]);
        highest = std::max(highest, axis[i]);
      }
      if (highest - lowest > length) {
        length = highest - lowest;
        longest = d;
      }
    }
    return longest;
  }

  /// Cuts between two different coordinates; returns the size of the first part.
  std::size_t cut_evenly(Indices indices, unsigned dimension) {
    const double middle = value_at(indices, dimension, indices.size() / 2);
    const auto values = std::span(values_).first(indices.size());
    const auto below = static_cast<std::size_t>(
        std::ranges::count_if(values, [&](double value) { return value < middle; }));
    const auto up_to = static_cast<std::size_t>(
        std::ranges::count_if(values, [&](double value) { return value <= middle; }));
    // The two candidates lie on either side of the half.
    const bool above = indices.size() - below >= up_to && up_to < indices.size();
    const auto& axis = points_.axes[dimension];
    return partition(indices,
                     [&](std::uint32_t i) { return above ? axis[i] <= middle : axis[i] < middle; });
  }

  /// The `count` lowest come first, of equal ones those of lowest index.
  void cut_lowest(Indices indices, unsigned dimension, std::size_t count) {
    const double last = value_at(indices, dimension, count - 1);
    // What stands before the last one is no higher; count those that are lower.
    const auto lower = std::ranges::count_if(std::span(values_).first(count),
                                             [&](double value) { return value < last; });
    std::size_t equal = count - static_cast<std::size_t>(lower);
    const auto& axis = points_.axes[dimension];
    partition(indices, [&](std::uint32_t i) {
      if (axis[i] != last) return axis[i] < last;
      if (equal == 0) return false;
      --equal;
      return true;
    });
  }

 private:
  /// The coordinate that `place` others precede; values_ holds all of them, partitioned there.
  double value_at(Indices indices, unsigned dimension, std::size_t place) {
    const auto& axis = points_.axes[dimension];
    std::ranges::transform(indices, values_.begin(), [&](std::uint32_t i) { return axis[i]; });
    const auto begin = values_.begin();
    const auto nth = begin + static_cast<std::ptrdiff_t>(place);
    std::nth_element(begin, nth, begin + static_cast<std::ptrdiff_t>(indices.size()));
    return *nth;
  }

  template <class InFirst>
  std::size_t partition(Indices indices, InFirst in_first) {
    aside_.clear();
    std::size_t first = 0;
    for (const std::uint32_t i : indices) {
      if (in_first(i)) {
        indices[first++] = i;
      } else {
        aside_.push_back(i);
      }
    }
    std::ranges::copy(aside_, indices.begin() + static_cast<std::ptrdiff_t>(first));
    return first;
  }

  const PointSet& points_;
  std::vector<double> values_;
  std::vector<std::uint32_t> aside_;
};

class Bisection {
 public:
  Bisection(const PointSet& tasks, const PointSet& places, const AxisMatch& match,
            std::size_t count)
      : match_(match), tasks_(tasks, count), places_(places, count), place_of_(count) {}

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> tasks(place_of_.size());
    std::iota(tasks.begin(), tasks.end(), 0U);
    std::vector<std::uint32_t> places = tasks;
    if (!tasks.empty()) split(tasks, places);
    return std::move(place_of_);
  }

 private:
  void split(Indices tasks, Indices places) {
    if (tasks.size() == 1) {
      place_of_[tasks[0]] = places[0];
      return;
    }
    const auto dimension = tasks_.longest_dimension(tasks);
    const std::size_t first =
        dimension ? tasks_.cut_evenly(tasks, *dimension) : (tasks.size() + 1) / 2;
    const auto axis =
        dimension && match_[*dimension] ? match_[*dimension] : places_.longest_dimension(places);
    if (axis) places_.cut_lowest(places, *axis, first);
    split(tasks.first(first), places.first(first));
    split(tasks.subspan(first), places.subspan(first));
  }

  const AxisMatch& match_;
  Cutter tasks_;
  Cutter places_;
  std::vector<std::uint32_t> place_of_;
};

}  // namespace

Box box_around(const PointSet& points) {
  Box box;
  for (const auto& axis : points.axes) {
    const auto [lowest, highest] = std::ranges::minmax(axis);
    box.lowest.push_back(lowest);
    box.highest.push_back(highest);
  }
  return box;
}

std::vector<std::uint32_t> bisect_together(const PointSet& tasks, const PointSet& places,
                                           const AxisMatch& match) {
  const std::size_t count = tasks.axes.empty() ? 0 : tasks.axes.front().size();
  return Bisection(tasks, places, match, count).run();
}

}  // namespace kith
