#include "graph/structure/grid_check.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "graph/structure/offsets.hpp"
#include "graph/structure/stencils.hpp"

namespace kith {
namespace {

constexpr double least_explained = 0.8;  // of the weight
constexpr double least_present = 0.9;    // of the pairs at each offset of the stencil

struct Tally {
  std::uint64_t pairs = 0;
  double weight = 0;

  double mean() const { return weight / static_cast<double>(pairs); }
};

template <class Visit>  // visit(positions of one, of the other, weight)
void for_each_pair(const TrafficGraph& graph, const GridCandidate& candidate, Visit visit) {
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    const auto others = graph.neighbours(Rank{r});
    const auto weights = graph.weights(Rank{r});
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (others[i].value > r) visit(candidate.of(r), candidate.of(others[i].value), weights[i]);
    }
  }
}

/// The dimension along which alone two points differ, by all of its length; else `dimensions`.
std::size_t joined_ends(const GridCandidate& candidate, std::span<const std::uint32_t> a,
                        std::span<const std::uint32_t> b) {
  const std::size_t dimensions = candidate.extents.size();
  std::size_t along = dimensions;
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (a[d] == b[d]) continue;
    const std::uint32_t apart = a[d] < b[d] ? b[d] - a[d] : a[d] - b[d];
    if (along != dimensions || apart + 1 != candidate.extents[d]) return dimensions;
    along = d;
  }
  return along;
}

std::vector<bool> find_periodic(const TrafficGraph& graph, const GridCandidate& candidate) {
  const std::size_t dimensions = candidate.extents.size();
  std::vector<std::uint64_t> joined(dimensions + 1, 0);
  for_each_pair(graph, candidate,
                [&](auto a, auto b, Weight) { ++joined[joined_ends(candidate, a, b)]; });
  std::vector<bool> periodic(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) {
    const double rows = static_cast<double>(graph.ranks()) / candidate.extents[d];
    periodic[d] =
        candidate.extents[d] > 2 && static_cast<double>(joined[d]) >= least_present * rows;
  }
  return periodic;
}

/// What each offset of the grid carries.
class OffsetTraffic {
 public:
  OffsetTraffic(const TrafficGraph& graph, const GridCandidate& candidate,
                const std::vector<bool>& periodic)
      : offsets_(candidate.extents, periodic), ranks_(graph.ranks()), tallies_(offsets_.count()) {
    for_each_pair(graph, candidate, [&](auto a, auto b, Weight weight) {
      total_ += static_cast<double>(weight);
      const std::uint32_t offset = offsets_.between(a, b);
      if (offset == Offsets::far) return;
      ++tallies_[offset].pairs;
      tallies_[offset].weight += static_cast<double>(weight);
    });
  }

  /// Share of the weight that the stencil explains; 0 where it does not fit.
  double explained(Stencil stencil) const {
    if (total_ == 0) return 0;
    double explained = 0;
    double least = 0;
    double most = 0;
    std::uint64_t possible = 0;
    for (std::uint32_t o = 0; o < offsets_.count(); ++o) {
      if (offsets_.pairs(o) == 0 || !belongs(stencil, offsets_.steps(o))) continue;
      const Tally& tally = tallies_[o];
      if (!is_present(o) || is_faint(o)) return 0;
      least = possible == 0 ? tally.mean() : std::min(least, tally.mean());
      most = std::max(most, tally.mean());
      possible += offsets_.pairs(o);
      explained += tally.weight;
    }
    const bool all_alike =
        possible == std::uint64_t{ranks_} * (ranks_ - 1) / 2 && most < 1.5 * least;
    return all_alike ? 0 : explained / total_;
  }

 private:
  bool is_present(std::uint32_t offset) const {
    const auto possible = static_cast<double>(offsets_.pairs(offset));
    return static_cast<double>(tallies_[offset].pairs) >= least_present * possible;
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
    const Tally& single = tallies_[offsets_.of(steps)];
    return single.pairs > 0 && tallies_[offset].mean() < 0.01 * single.mean();
  }

  Offsets offsets_;
  std::uint32_t ranks_;
  std::vector<Tally> tallies_;
  double total_ = 0;
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
                                          const std::vector<bool>& periodic) {
  const OffsetTraffic traffic(graph, candidate, periodic);
  double most = 0;
  Stencil best = Stencil::faces;
  for (const Stencil stencil : stencils) {
    const double explained = traffic.explained(stencil);
    if (explained <= most) continue;
    most = explained;
    best = stencil;
  }
  if (most < least_explained) return std::nullopt;
  return describe(candidate, periodic, best, most);
}

}  // namespace

std::optional<GridStructure> check_grid(const TrafficGraph& graph, const GridCandidate& candidate) {
  return best_stencil(graph, candidate, find_periodic(graph, candidate));
}

}  // namespace kith
