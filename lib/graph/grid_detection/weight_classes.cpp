#include "graph/grid_detection/weight_classes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace kith {
namespace {

/// Weights of one power of two fall into 8 bins.
constexpr unsigned fine_bits = 3;
constexpr std::size_t bins = std::size_t{64} << fine_bits;

std::size_t bin_of(Weight weight) {
  const auto power = static_cast<unsigned>(std::bit_width(weight) - 1);
  const Weight fraction =
      power >= fine_bits ? weight >> (power - fine_bits) : weight << (fine_bits - power);
  return (std::size_t{power} << fine_bits) + (fraction & ((1U << fine_bits) - 1));
}

struct Bin {
  std::uint64_t pairs = 0;
  Weight least = std::numeric_limits<Weight>::max();
};

std::array<Bin, bins> count_weights(const TrafficGraph& graph) {
  std::array<Bin, bins> counted{};
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    const auto others = graph.neighbours(Rank{r});
    const auto weights = graph.weights(Rank{r});
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (others[i].value < r) continue;
      Bin& bin = counted[bin_of(weights[i])];
      ++bin.pairs;
      bin.least = std::min(bin.least, weights[i]);
    }
  }
  return counted;
}

/// Between a weight that occurs and the next lighter one that does.
struct Gap {
  std::size_t width;  ///< bins
  Weight above;
};

}  // namespace

std::vector<Weight> least_weights(const TrafficGraph& graph) {
  constexpr std::size_t narrowest = 3;  // a quarter of a power of two lies empty
  constexpr std::size_t most = 6;
  const auto counted = count_weights(graph);
  std::vector<Gap> gaps;
  std::uint64_t heavier = 0;
  std::size_t last = bins;  // the bin above that is not empty
  for (std::size_t bin = bins; bin-- > 0;) {
    if (counted[bin].pairs == 0) continue;
    const bool cuts_enough_off = 200 * (graph.edges() - heavier) >= graph.edges();
    if (last < bins && last - bin >= narrowest && heavier + 1 >= graph.ranks() && cuts_enough_off) {
      gaps.push_back({last - bin, counted[last].least});
    }
    heavier += counted[bin].pairs;
    last = bin;
  }
  std::ranges::stable_sort(gaps, std::ranges::greater{}, &Gap::width);
  if (gaps.size() > most) gaps.resize(most);
  std::vector<Weight> least{1};
  for (const Gap& gap : gaps) least.push_back(gap.above);
  return least;
}

}  // namespace kith
