#include "graph/grid_detection/grid_proposals.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "graph/grid_detection/axes.hpp"
#include "graph/grid_detection/connected_graph.hpp"
#include "kith/traffic.hpp"

namespace kith {
namespace {

/// Each pair that talks, once: visit(positions of one, of the other, weight).
template <class Visit>
void for_each_pair(const TrafficGraph& graph, const GridCandidate& candidate, const StopCheck& stop,
                   Visit visit) {
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    stop();
    const auto others = graph.neighbours(Rank{r});
    const auto weights = graph.weights(Rank{r});
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (others[i].value > r) visit(candidate.of(r), candidate.of(others[i].value), weights[i]);
    }
  }
}

// The pairs that talk though they are not in the stencil.

class OutsidePairs {
 public:
  OutsidePairs(const TrafficGraph& graph, const GridCandidate& candidate,
               const std::vector<bool>& periodic, Stencil stencil, const StopCheck& stop)
      : graph_(graph),
        candidate_(candidate),
        periodic_(periodic),
        stencil_(stencil),
        offsets_(candidate.extents, periodic),
        stop_(stop) {}

  /// More than one in 20 of the pairs that weigh at least the stencil's median.
  bool are_many() const {
    constexpr double most = 0.05;
    std::vector<Weight> inside;
    std::vector<Weight> outside;
    for_each_pair(graph_, candidate_, stop_, [&](auto a, auto b, Weight weight) {
      (is_inside(offsets_.between(a, b)) ? inside : outside).push_back(weight);
    });
    if (inside.empty()) return true;
    const auto middle = inside.begin() + static_cast<std::ptrdiff_t>(inside.size() / 2);
    std::ranges::nth_element(inside, middle);
    const auto heavy = [median = *middle](const std::vector<Weight>& weights) {
      const auto count = std::ranges::count_if(weights, [&](Weight w) { return w >= median; });
      return static_cast<double>(count);
    };
    return heavy(outside) > most * (heavy(inside) + heavy(outside));
  }

  /// A dimension that is no ring ends in a seam: as many pairs join its ends, askew, as would close
  /// it, and weigh about what its neighbours do.
  bool make_a_seam() const {
    constexpr double least_joined = 0.9;
    constexpr double least_weight = 0.5;
    const std::vector<double> means = mean_steps();
    std::vector<std::uint64_t> seam(means.size(), 0);
    for_each_pair(graph_, candidate_, stop_, [&](auto a, auto b, Weight weight) {
      if (is_inside(offsets_.between(a, b))) return;
      for (std::size_t d = 0; d < seam.size(); ++d) {
        const std::uint32_t apart = std::max(a[d], b[d]) - std::min(a[d], b[d]);
        const bool ends = apart + 1 == candidate_.extents[d] && apart > 1 && !periodic_[d];
        seam[d] += ends && static_cast<double>(weight) > least_weight * means[d];
      }
    });
    for (std::size_t d = 0; d < seam.size(); ++d) {
      const double rows = static_cast<double>(graph_.ranks()) / candidate_.extents[d];
      if (seam[d] > 0 && static_cast<double>(seam[d]) >= least_joined * rows) return true;
    }
    return false;
  }

 private:
  bool is_inside(std::uint32_t offset) const {
    return offset != Offsets::far && belongs(stencil_, offsets_.steps(offset));
  }

  /// What one step along each dimension carries.
  std::vector<double> mean_steps() const {
    const std::size_t dimensions = candidate_.extents.size();
    std::vector<double> sums(dimensions, 0);
    std::vector<double> counts(dimensions, 0);
    for_each_pair(graph_, candidate_, stop_, [&](auto a, auto b, Weight weight) {
      const std::uint32_t offset = offsets_.between(a, b);
      if (offset == Offsets::far || !belongs(Stencil::faces, offsets_.steps(offset))) return;
      const auto differ = std::ranges::mismatch(a, b).in1;
      const auto along = static_cast<std::size_t>(differ - a.begin());
      sums[along] += static_cast<double>(weight);
      ++counts[along];
    });
    for (std::size_t d = 0; d < dimensions; ++d) sums[d] /= std::max(counts[d], 1.0);
    return sums;
  }

  const TrafficGraph& graph_;
  const GridCandidate& candidate_;
  const std::vector<bool>& periodic_;
  Stencil stencil_;
  Offsets offsets_;
  const StopCheck& stop_;
};

/// Do pairs outside the stencil weigh as much as those inside, and are they more than a few or join
/// the ends of a dimension? A twisted torus, a Moebius ladder and a Klein bottle are no grids,
/// though all but their seams is one. O(edges) time and memory.
bool outside_pairs_matter(const TrafficGraph& graph, const GridCandidate& candidate,
                          const std::vector<bool>& periodic, Stencil stencil,
                          const StopCheck& stop) {
  const OutsidePairs outside(graph, candidate, periodic, stencil, stop);
  return outside.are_many() || outside.make_a_seam();
}

constexpr double least_explained = 0.8;  // of the weight
constexpr double least_present = 0.9;    // of the pairs at each offset of the stencil

struct PairSums {
  std::uint64_t pairs = 0;
  double weight = 0;
  Weight lightest = std::numeric_limits<Weight>::max();
  Weight heaviest = 0;

  void add(Weight one) {
    ++pairs;
    weight += static_cast<double>(one);
    lightest = std::min(lightest, one);
    heaviest = std::max(heaviest, one);
  }

  double mean() const { return weight / static_cast<double>(pairs); }
};

/// Pairs of points that differ in one dimension alone.
struct Joined {
  PairSums neighbours;  ///< by one step
  PairSums ends;        ///< by the whole length: how a ring closes
};

std::vector<Joined> find_joined(const TrafficGraph& graph, const GridCandidate& candidate,
                                const StopCheck& stop) {
  const std::size_t dimensions = candidate.extents.size();
  std::vector<Joined> joined(dimensions);
  for_each_pair(graph, candidate, stop, [&](auto a, auto b, Weight weight) {
    std::size_t along = dimensions;
    for (std::size_t d = 0; d < dimensions; ++d) {
      if (a[d] == b[d]) continue;
      if (along != dimensions) return;
      along = d;
    }
    const std::uint32_t steps = std::max(a[along], b[along]) - std::min(a[along], b[along]);
    if (steps == 1) joined[along].neighbours.add(weight);
    if (steps + 1 == candidate.extents[along]) joined[along].ends.add(weight);
  });
  return joined;
}

/// A ring is closed by as many pairs as there are rows, and not by small change.
std::vector<bool> find_periodic(const TrafficGraph& graph, const GridCandidate& candidate,
                                const StopCheck& stop) {
  constexpr double least_share = 0.05;  // of what neighbours exchange
  const auto joined = find_joined(graph, candidate, stop);
  std::vector<bool> periodic(joined.size());
  for (std::size_t d = 0; d < joined.size(); ++d) {
    const auto& [neighbours, ends] = joined[d];
    const double rows = static_cast<double>(graph.ranks()) / candidate.extents[d];
    periodic[d] = candidate.extents[d] > 2 && neighbours.pairs > 0 &&
                  static_cast<double>(ends.pairs) >= least_present * rows &&
                  ends.mean() >= least_share * neighbours.mean();
  }
  return periodic;
}

/// What each offset of the grid carries.
class OffsetTraffic {
 public:
  OffsetTraffic(const TrafficGraph& graph, const GridCandidate& candidate,
                const std::vector<bool>& periodic, const StopCheck& stop)
      : offsets_(candidate.extents, periodic), sums_(offsets_.count()), dense_(is_dense(graph)) {
    for_each_pair(graph, candidate, stop, [&](auto a, auto b, Weight weight) {
      total_ += static_cast<double>(weight);
      const std::uint32_t offset = offsets_.between(a, b);
      (offset == Offsets::far ? beyond_ : sums_[offset]).add(weight);
    });
    faces_stand_out_ = heaviest_but_faces() <= lightest_face() / 2;
  }

  /// Share of the weight that the stencil explains; 0 where it does not fit. Where nearly all pairs
  /// talk there is no telling who is a neighbour, unless by the weights.
  double explained(Stencil stencil) const {
    if (total_ == 0 || (dense_ && !faces_stand_out_)) return 0;
    double weight = 0;
    for (std::uint32_t o = 0; o < offsets_.count(); ++o) {
      if (offsets_.pairs(o) == 0 || !belongs(stencil, offsets_.steps(o))) continue;
      if (!is_present(o) || is_faint(o)) return 0;
      weight += sums_[o].weight;
    }
    return weight / total_;
  }

 private:
  bool is_present(std::uint32_t offset) const {
    const auto possible = static_cast<double>(offsets_.pairs(offset));
    return static_cast<double>(sums_[offset].pairs) >= least_present * possible;
  }

  static bool is_dense(const TrafficGraph& graph) {
    const auto all = static_cast<double>(graph.ranks()) * (graph.ranks() - 1) / 2;
    return static_cast<double>(graph.edges()) > 0.9 * all;
  }

  Weight lightest_face() const {
    Weight lightest = std::numeric_limits<Weight>::max();
    for (std::uint32_t o = 0; o < offsets_.count(); ++o) {
      if (belongs(Stencil::faces, offsets_.steps(o))) {
        lightest = std::min(lightest, sums_[o].lightest);
      }
    }
    return lightest;
  }

  Weight heaviest_but_faces() const {
    Weight heaviest = beyond_.heaviest;
    for (std::uint32_t o = 0; o < offsets_.count(); ++o) {
      if (!belongs(Stencil::faces, offsets_.steps(o))) {
        heaviest = std::max(heaviest, sums_[o].heaviest);
      }
    }
    return heaviest;
  }

  /// Two steps along an axis for next to nothing: a barrier's message, not a wide halo's.
  bool is_faint(std::uint32_t offset) const {
    Offset steps = offsets_.steps(offset);
    bool is_double = false;
    for (int& step : steps) {
      if (std::abs(step) == 2) {
        step /= 2;
        is_double = true;
      }
    }
    if (!is_double) return false;
    const PairSums& single = sums_[offsets_.of(steps)];
    return single.pairs > 0 && sums_[offset].mean() < 0.01 * single.mean();
  }

  Offsets offsets_;
  std::vector<PairSums> sums_;
  PairSums beyond_;  ///< pairs at no such offset
  double total_ = 0;
  bool dense_;
  bool faces_stand_out_ = false;
};

GridStructure describe(const GridCandidate& candidate, std::vector<bool> periodic, Stencil stencil,
                       double explained) {
  const std::size_t dimensions = candidate.extents.size();
  GridStructure found;
  found.extents = candidate.extents;
  found.stencil = stencil_name(stencil, dimensions);
  found.explained = explained;
  found.coordinates.dimensions = static_cast<unsigned>(dimensions);
  found.coordinates.values.assign(candidate.positions.begin(), candidate.positions.end());
  for (std::size_t d = 0; d < dimensions; ++d) {
    found.coordinates.periods.push_back(periodic[d] ? candidate.extents[d] : 0);
  }
  found.periodic = std::move(periodic);
  return found;
}

std::optional<GridStructure> best_stencil(const TrafficGraph& graph, const GridCandidate& candidate,
                                          const std::vector<bool>& periodic,
                                          const StopCheck& stop) {
  const OffsetTraffic traffic(graph, candidate, periodic, stop);
  double most = 0;
  Stencil best = Stencil::faces;
  for (const Stencil stencil : stencils) {
    const double explained = traffic.explained(stencil);
    if (explained <= most) continue;
    most = explained;
    best = stencil;
  }
  if (most < least_explained || outside_pairs_matter(graph, candidate, periodic, best, stop)) {
    return std::nullopt;
  }
  return describe(candidate, periodic, best, most);
}

}  // namespace

std::optional<GridStructure> check_grid(const TrafficGraph& graph, const GridCandidate& candidate,
                                        const StopCheck& stop) {
  return best_stencil(graph, candidate, find_periodic(graph, candidate, stop), stop);
}

}  // namespace kith
