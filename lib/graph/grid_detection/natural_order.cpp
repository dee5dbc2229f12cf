#include "graph/grid_detection/grid_proposals.hpp"

namespace kith {
namespace {

using Extents = std::vector<std::uint32_t>;

/// Differences that half of the ranks or nearly so have: of a neighbour along a dimension with
/// extent e all but one in e have it.
std::vector<std::uint32_t> frequent_differences(const TrafficGraph& graph) {
  const std::uint32_t ranks = graph.ranks();
  std::vector<std::uint32_t> count(ranks, 0);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    for (const Rank other : graph.neighbours(Rank{r})) {
      if (other.value > r) ++count[other.value - r];
    }
  }
  std::vector<std::uint32_t> frequent;
  for (std::uint32_t difference = 1; difference < ranks; ++difference) {
    if (count[difference] >= 0.45 * ranks) frequent.push_back(difference);
  }
  return frequent;
}

/// Chains of strides, each dividing the next, from 1 up to the number of ranks.
class Chains {
 public:
  Chains(std::vector<std::uint32_t> strides, std::uint32_t ranks)
      : strides_(std::move(strides)), ranks_(ranks) {}

  std::vector<Extents> all() {
    if (!strides_.empty() && strides_.front() == 1) extend(0);
    return std::move(found_);
  }

 private:
  /// Every way to go on from the stride at `last`, the fastest dimension's extent last.
  void extend(std::size_t last) {
    if (found_.size() == most_chains) return;
    const std::uint32_t stride = strides_[last];
    if (ranks_ % stride == 0) {
      extents_.insert(extents_.begin(), ranks_ / stride);
      found_.push_back(extents_);
      extents_.erase(extents_.begin());
    }
    if (extents_.size() + 1 == max_grid_dimensions) return;
    for (std::size_t next = last + 1; next < strides_.size(); ++next) {
      if (strides_[next] % stride != 0) continue;
      extents_.insert(extents_.begin(), strides_[next] / stride);
      extend(next);
      extents_.erase(extents_.begin());
    }
  }

  static constexpr std::size_t most_chains = 64;
  std::vector<std::uint32_t> strides_;
  std::uint32_t ranks_;
  Extents extents_;
  std::vector<Extents> found_;
};

}  // namespace

std::vector<Extents> natural_extents(const TrafficGraph& graph) {
  return Chains(frequent_differences(graph), graph.ranks()).all();
}

GridCandidate natural_candidate(const Extents& extents) {
  GridCandidate candidate{extents, {}};
  std::uint32_t ranks = 1;
  for (const std::uint32_t extent : extents) ranks *= extent;
  candidate.positions.resize(std::size_t{ranks} * extents.size());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    std::uint32_t rest = rank;
    for (std::size_t d = extents.size(); d-- > 0;) {
      candidate.positions[std::size_t{rank} * extents.size() + d] = rest % extents[d];
      rest /= extents[d];
    }
  }
  return candidate;
}

}  // namespace kith
