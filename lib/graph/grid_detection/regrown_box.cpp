// A box grown again, from places that its pairs agree upon. Parts of a box may lie a place beside
// theirs: inside, nearly all pairs are steps and say so, and only where two parts meet do some say
// otherwise. So each pair is taken for the step that it is nearest to, and all ranks go where these
// steps together pull them: what is wrong at the seam is spread over the parts, and the next growth
// finds the seam elsewhere, or nowhere.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/grid_detection/gapped_box.hpp"

namespace kith {
namespace {

/// From one coordinate to another, the shorter way around a ring (period > 0).
double way(double from, double to, int period) {
  return period > 0 ? std::remainder(to - from, static_cast<double>(period)) : to - from;
}

class Relaxation {
 public:
  /// `places`: ranks x dimensions.
  Relaxation(const NeighbourLists& lists, unsigned dimensions, const Periods& periods,
             std::vector<double> places)
      : lists_(lists),
        dimensions_(dimensions),
        periods_(periods),
        start_(places),
        places_(std::move(places)) {}

  std::vector<double> run(const StopCheck& stop) {
    constexpr unsigned sweeps = 32;
    constexpr unsigned sweeps_with_the_same_steps = 8;
    for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
      stop.look();
      if (sweep % sweeps_with_the_same_steps == 0) find_steps();
      for (std::uint32_t i = 0; i < lists_.ranks(); ++i) {
        pull(sweep % 2 == 0 ? i : lists_.ranks() - 1 - i);
      }
    }
    return std::move(places_);
  }

 private:
  /// What a pair of ranks is taken for, as seen from one of them.
  struct Step {
    std::uint32_t other;
    unsigned dimension;
    double by;      ///< 1 or -1
    double weight;  ///< less where it is hardly like a step
  };

  double& at(std::uint32_t rank, unsigned d) { return places_[std::size_t{rank} * dimensions_ + d]; }

  void find_steps() {
    first_.clear();
    steps_.clear();
    for (std::uint32_t rank = 0; rank < lists_.ranks(); ++rank) {
      first_.push_back(steps_.size());
      for (const std::uint32_t other : lists_.of(rank)) steps_.push_back(nearest_step(rank, other));
    }
    first_.push_back(steps_.size());
  }

  Step nearest_step(std::uint32_t rank, std::uint32_t other) {
    Step step{other, 0, 1, 0};
    double longest = -1;
    double squares = 0;
    for (unsigned d = 0; d < dimensions_; ++d) {
      const double along = way(at(rank, d), at(other, d), periods_[d]);
      squares += along * along;
      if (std::abs(along) <= longest) continue;
      longest = std::abs(along);
      step.dimension = d;
      step.by = along > 0 ? 1 : -1;
    }
    const double off = squares - 2 * longest + 1;  // squared, from the step's end
    step.weight = 1 / (1 + off);
    return step;
  }

  /// To the mean of where its neighbours want it, and somewhat further: that ends sooner.
  void pull(std::uint32_t rank) {
    constexpr double further = 1.5;
    constexpr double anchor = 0.01;  // else all would drift
    for (unsigned d = 0; d < dimensions_; ++d) {
      const double here = at(rank, d);
      double sum = anchor * way(here, start_[std::size_t{rank} * dimensions_ + d], periods_[d]);
      double weight = anchor;
      for (std::size_t i = first_[rank]; i < first_[rank + std::size_t{1}]; ++i) {
        const Step& step = steps_[i];
        const double apart = way(here, at(step.other, d), periods_[d]);
        sum += step.weight * (apart - (step.dimension == d ? step.by : 0));
        weight += step.weight;
      }
      at(rank, d) = here + further * sum / weight;
    }
  }

  const NeighbourLists& lists_;
  const unsigned dimensions_;
  const Periods& periods_;
  const std::vector<double> start_;
  std::vector<double> places_;
  std::vector<std::size_t> first_;  // of a rank's steps
  std::vector<Step> steps_;
};

}  // namespace

std::vector<double> GappedBox::prior(const StopCheck& stop) const {
  std::vector<double> middles;
  for (const std::uint32_t place : place_of_) {
    const LatticePoint at = point(place);
    for (unsigned d = 0; d < dimensions_; ++d) middles.push_back(at[d] + 0.5);
  }
  std::vector<double> prior =
      Relaxation(*lists_, dimensions_, periods_, std::move(middles)).run(stop);
  // Each growth errs elsewhere: what several agree upon is nearer to the truth.
  constexpr double share = 0.5;
  for (std::size_t i = 0; i < grown_from_.size(); ++i) {
    const int period = periods_[i % dimensions_];
    prior[i] = grown_from_[i] + share * way(grown_from_[i], prior[i], period);
    if (period > 0) prior[i] -= period * std::floor(prior[i] / period);
  }
  return prior;
}

std::optional<GappedBox> GappedBox::regrown(const StopCheck& stop) const {
  LatticeFrame frame{{extents_.begin(), extents_.end()}, {}, prior(stop), growth_slack};
  for (unsigned d = 0; d < dimensions_; ++d) frame.is_ring.push_back(periods_[d] > 0);
  const auto grown = grow_in_frame(*lists_, frame, stop);
  if (!grown || 2 * std::uint64_t{grown->placed} < lists_->ranks()) return std::nullopt;
  auto box = in_window(*lists_, *grown, periods_, frame);
  if (box) box->grown_from_ = std::move(frame.prior);
  return box;
}

}  // namespace kith
