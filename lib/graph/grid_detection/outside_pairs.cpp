#include "graph/grid_detection/outside_pairs.hpp"

#include <algorithm>

#include "graph/grid_detection/candidate_pairs.hpp"
#include "graph/grid_detection/offsets.hpp"

namespace kith {
namespace {

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

}  // namespace

bool outside_pairs_matter(const TrafficGraph& graph, const GridCandidate& candidate,
                          const std::vector<bool>& periodic, Stencil stencil,
                          const StopCheck& stop) {
  const OutsidePairs outside(graph, candidate, periodic, stencil, stop);
  return outside.are_many() || outside.make_a_seam();
}

}  // namespace kith
