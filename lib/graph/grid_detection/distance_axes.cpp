#include "graph/grid_detection/distance_axes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

namespace kith {
namespace {

constexpr std::uint32_t not_reached = UINT32_MAX;

std::vector<std::uint32_t> steps_from(const NeighbourLists& lists, std::uint32_t start,
                                      const StopCheck& stop) {
  std::vector<std::uint32_t> steps(lists.ranks(), not_reached);
  std::vector<std::uint32_t> queue{start};
  queue.reserve(lists.ranks());
  steps[start] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    stop();
    for (const std::uint32_t other : lists.of(queue[next])) {
      if (steps[other] != not_reached) continue;
      steps[other] = steps[queue[next]] + 1;
      queue.push_back(other);
    }
  }
  return steps;
}

/// Values by rank, several columns of them.
using Columns = std::vector<std::vector<double>>;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / static_cast<double>(a.size());
}

void centre(std::vector<double>& values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  for (double& value : values) value -= mean;
}

/// The distances from ranks that lie far from each other, each column with mean 0; ranks that are
/// not reached lie in the middle. Empty where those are many, or no way is as long as in a grid.
Columns far_distances(const NeighbourLists& lists, unsigned dimensions, const StopCheck& stop) {
  constexpr std::uint64_t most_steps = 8'000'000;  // pairs looked at, of large graphs
  const std::uint64_t most = std::clamp<std::uint64_t>(most_steps / (lists.pairs() + 1), 16, 40);
  constexpr double least_reached = 0.9;
  const double side = std::pow(lists.ranks(), 1.0 / dimensions);
  Columns columns;
  std::vector<std::uint32_t> nearest(lists.ranks(), not_reached - 1);
  std::uint32_t start = 0;
  for (std::uint32_t tries = 0;
       columns.size() < std::min<std::uint64_t>(most, lists.ranks() / 4);) {
    const auto steps = steps_from(lists, start, stop);
    const auto reached = std::ranges::count_if(steps, [](auto s) { return s != not_reached; });
    if (static_cast<double>(reached) < least_reached * lists.ranks()) {
      if (++tries > 8) return {};
      start = static_cast<std::uint32_t>(std::uint64_t{lists.ranks()} * tries / 9);
      continue;
    }
    std::uint32_t longest = 0;
    for (const std::uint32_t s : steps) longest = s == not_reached ? longest : std::max(longest, s);
    if (longest < 0.8 * side) return {};  // a small world is no grid
    std::vector<double> column(steps.size(), 0);
    double sum = 0;
    for (const std::uint32_t s : steps) sum += s == not_reached ? 0 : s;
    for (std::uint32_t r = 0; r < steps.size(); ++r) {
      column[r] = steps[r] == not_reached ? 0 : steps[r] - sum / static_cast<double>(reached);
      nearest[r] = steps[r] == not_reached ? 0 : std::min(nearest[r], steps[r]);
    }
    columns.push_back(std::move(column));
    start = static_cast<std::uint32_t>(std::ranges::max_element(nearest) - nearest.begin());
  }
  return columns;
}

// Small symmetric matrices.

using Matrix = std::vector<std::vector<double>>;

struct Eigen {
  std::vector<double> values;  ///< the largest first
  Matrix vectors;              ///< one row each
};

/// By Jacobi's rotations.
Eigen eigen(Matrix a) {
  const std::size_t n = a.size();
  Matrix v(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i) v[i][i] = 1;
  constexpr int sweeps = 12;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (std::abs(a[p][q]) < 1e-300) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1);
        const double s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double kp = a[k][p];
          a[k][p] = c * kp - s * a[k][q];
          a[k][q] = s * kp + c * a[k][q];
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double pk = a[p][k];
          a[p][k] = c * pk - s * a[q][k];
          a[q][k] = s * pk + c * a[q][k];
          const double vp = v[p][k];
          v[p][k] = c * vp - s * v[q][k];
          v[q][k] = s * vp + c * v[q][k];
        }
      }
    }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return a[i][i]; });
  Eigen result;
  for (const std::size_t i : order) {
    result.values.push_back(a[i][i]);
    result.vectors.push_back(v[i]);
  }
  return result;
}

Matrix products_of(const Columns& columns, const std::vector<double>* weight = nullptr) {
  Matrix result(columns.size(), std::vector<double>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::vector<double> weighted = columns[i];
    for (std::size_t r = 0; weight != nullptr && r < weighted.size(); ++r) {
      weighted[r] *= (*weight)[r];
    }
    for (std::size_t k = 0; k <= i; ++k) {
      result[i][k] = result[k][i] = product(weighted, columns[k]);
    }
  }
  return result;
}

std::vector<double> combined(const Columns& columns, const std::vector<double>& by) {
  std::vector<double> sum(columns[0].size(), 0);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += by[i] * columns[i][r];
  }
  return sum;
}

void normalise(std::vector<double>& vector) {
  double sum = 0;
  for (const double x : vector) sum += x * x;
  for (double& x : vector) x /= std::sqrt(std::max(sum, 1e-300));
}

// One coordinate after another.

/// The strongest components, uncorrelated and of variance 1: at most `most`, without those far
/// weaker than the first.
Columns components(const Columns& columns, std::size_t most) {
  constexpr double weakest = 0.15;  // of the first one's variance
  const Eigen found = eigen(products_of(columns));
  Columns result;
  for (std::size_t i = 0; i < std::min(most, found.values.size()); ++i) {
    if (found.values[i] <= weakest * found.values[0] || found.values[i] < 1e-9) break;
    result.push_back(combined(columns, found.vectors[i]));
    for (double& value : result.back()) value /= std::sqrt(found.values[i]);
  }
  return result;
}

double fourth_moment(const std::vector<double>& values) {
  double sum = 0;
  for (const double x : values) sum += x * x * x * x;
  return sum / static_cast<double>(values.size());
}

/// The direction of least kurtosis (FastICA of Hyvaerinen and Oja, for flat distributions), from
/// several beginnings.
std::vector<double> flattest(const Columns& columns, const StopCheck& stop) {
  constexpr int steps = 30;
  constexpr std::size_t most_rows = 4096;  // ranks looked at
  Columns sample(columns.size());
  const std::size_t stride = (columns[0].size() + most_rows - 1) / most_rows;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t r = 0; r < columns[i].size(); r += stride) sample[i].push_back(columns[i][r]);
  }
  std::vector<double> best;
  double least = 0;
  for (std::size_t start = 0; start < 2 * columns.size(); ++start) {
    std::vector<double> w(columns.size(), 0);
    w[start % columns.size()] = 1;
    if (start >= columns.size()) w[(start + 1) % columns.size()] = 1;
    normalise(w);
    for (int step = 0; step < steps; ++step) {
      stop.look();
      std::vector<double> cubes = combined(sample, w);
      for (double& x : cubes) x = x * x * x;
      for (std::size_t i = 0; i < w.size(); ++i) w[i] = 3 * w[i] - product(sample[i], cubes);
      normalise(w);
    }
    const double moment = fourth_moment(combined(sample, w));
    if (!best.empty() && moment >= least) continue;
    least = moment;
    best = std::move(w);
  }
  return best;
}

/// What makes a circle with `first`, if anything does: the sum of squares is constant.
std::optional<std::vector<double>> on_a_circle(const Columns& columns,
                                               const std::vector<double>& direction,
                                               const std::vector<double>& first) {
  constexpr double independent = 1;
  constexpr double circle = 0.5;
  std::vector<double> squares = first;
  for (double& x : squares) x *= x;
  Matrix m = products_of(columns, &squares);
  constexpr double away = 1e3;  // the direction itself must not come out
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t k = 0; k < m.size(); ++k) m[i][k] += away * direction[i] * direction[k];
  }
  const Eigen found = eigen(std::move(m));
  if (found.values.size() < 2 || found.values.back() > (independent + circle) / 2) {
    return std::nullopt;
  }
  return combined(columns, found.vectors.back());
}

/// A line and its bend make a horseshoe: far from a circle, and denser in some directions than in
/// others, a twentieth of all ranks at a time.
bool is_horseshoe(const std::vector<double>& along, const std::vector<double>& across) {
  constexpr double far_from_circle = 1;  // variance of squared radii whose mean is 2
  constexpr double much_wider = 2.2;
  constexpr std::size_t parts = 20;
  double squares = 0;
  std::vector<double> angles;
  for (std::size_t r = 0; r < along.size(); ++r) {
    const double radius = along[r] * along[r] + across[r] * across[r];
    squares += radius * radius;
    angles.push_back(std::atan2(across[r], along[r]));
  }
  if (squares / static_cast<double>(along.size()) - 4 < far_from_circle) return false;
  std::ranges::sort(angles);
  double widest = 0;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const std::size_t end = i + angles.size() / parts;
    const double around = end < angles.size() ? 0 : 2 * std::numbers::pi;
    widest = std::max(widest, angles[end % angles.size()] + around - angles[i]);
  }
  return widest > much_wider * 2 * std::numbers::pi / parts;
}

/// Ranks in the order of their values, evenly from 0 to 1.
std::vector<double> spread_evenly(const std::vector<double>& values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t r) { return values[r]; });
  std::vector<double> place(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(order.size());
  }
  return place;
}

/// Takes out what the place along the axis explains; the variance of that.
double take_out(Columns& columns, const DistanceAxis& axis) {
  constexpr std::size_t most_bins = 64;
  const std::size_t ranks = axis.place.size();
  const std::size_t bins = std::clamp<std::size_t>(ranks / 24, 4, most_bins);
  std::vector<double> sums(bins);
  std::vector<double> counts(bins);
  const auto bin_of = [&](std::uint32_t r) {
    return std::min(bins - 1, static_cast<std::size_t>(axis.place[r] * static_cast<double>(bins)));
  };
  double taken = 0;
  for (auto& column : columns) {
    std::ranges::fill(sums, 0.0);
    std::ranges::fill(counts, 0.0);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      sums[bin_of(r)] += column[r];
      ++counts[bin_of(r)];
    }
    for (std::uint32_t r = 0; r < ranks; ++r) {
      const double mean = sums[bin_of(r)] / std::max(counts[bin_of(r)], 1.0);
      column[r] -= mean;
      taken += mean * mean;
    }
    centre(column);
  }
  return taken / static_cast<double>(ranks);
}

}  // namespace

std::vector<DistanceAxis> find_distance_axes(const NeighbourLists& lists, unsigned dimensions,
                                             const StopCheck& stop) {
  std::vector<DistanceAxis> axes;
  Columns columns = far_distances(lists, dimensions, stop);
  if (columns.size() < std::size_t{2} * dimensions) return {};
  while (axes.size() < dimensions) {
    const Columns strongest = components(columns, 2 * (dimensions - axes.size()));
    if (strongest.empty()) break;
    const std::vector<double> direction = flattest(strongest, stop);
    std::vector<double> along = combined(strongest, direction);
    DistanceAxis axis;
    const auto across = on_a_circle(strongest, direction, along);
    if (across && !is_horseshoe(along, *across)) {
      axis.is_ring = true;
      for (std::size_t r = 0; r < along.size(); ++r) along[r] = std::atan2((*across)[r], along[r]);
    }
    axis.place = spread_evenly(along);
    const double variance = take_out(columns, axis);
    axis.length = std::sqrt(variance) * (axis.is_ring ? std::numbers::sqrt2 : 1);
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace kith
