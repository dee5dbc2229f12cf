#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "mapping/packing/packing.hpp"

namespace kith::packing {
namespace {

/// Classes of weights: each power of two in eight parts.
constexpr std::size_t classes = 64 * 8;

std::size_t class_of(Weight weight) {
  const auto width = static_cast<unsigned>(std::bit_width(weight));
  const std::uint64_t mantissa = width > 4 ? weight >> (width - 4) : weight << (4 - width);
  return 8 * std::size_t{width - 1} + (mantissa & 7U);
}

/// The lowest class of weights that is kept where so large a share of all is left out.
class LightPairs {
 public:
  explicit LightPairs(const TrafficGraph& graph) {
    for (const Weight weight : graph.all_weights()) {
      const auto value = static_cast<double>(weight);
      sum_[class_of(weight)] += value;
      total_ += value;
    }
  }

  std::size_t first_kept(double share) const {
    double below = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      below += sum_[c];
      if (below > share * total_) return c;
    }
    return 0;
  }

 private:
  std::array<double, classes> sum_{};
  double total_ = 0;
};

class Components {
 public:
  explicit Components(std::uint32_t ranks) : above_(ranks) {
    std::iota(above_.begin(), above_.end(), 0U);
  }

  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a != b) above_[std::max(a, b)] = std::min(a, b);
  }

  Grouping grouping() {
    Grouping grouping{std::vector<std::uint32_t>(above_.size()), 0};
    for (std::uint32_t r = 0; r < above_.size(); ++r) {
      const std::uint32_t first = root(r);
      grouping.group_of[r] = first == r ? grouping.count++ : grouping.group_of[first];
    }
    return grouping;
  }

 private:
  std::uint32_t root(std::uint32_t r) {
    while (above_[r] != r) r = above_[r] = above_[above_[r]];
    return r;
  }
  std::vector<std::uint32_t> above_;  // never higher than the rank itself
};

Grouping components(const TrafficGraph& graph, std::size_t first_kept) {
  Components found(graph.ranks());
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    const auto neighbours = graph.neighbours(Rank{r});
    const auto weights = graph.weights(Rank{r});
    for (std::size_t i = 0; i < neighbours.size() && neighbours[i].value < r; ++i) {
      if (class_of(weights[i]) >= first_kept) found.join(r, neighbours[i].value);
    }
  }
  return found.grouping();
}

std::vector<std::uint32_t> sizes_of(const Grouping& grouping) {
  std::vector<std::uint32_t> sizes(grouping.count);
  for (const std::uint32_t group : grouping.group_of) ++sizes[group];
  return sizes;
}

bool leaves_something_to_pack(const Grouping& grouping) {
  const std::vector<std::uint32_t> sizes = sizes_of(grouping);
  const std::uint64_t ranks = grouping.group_of.size();
  const std::uint32_t largest = sizes.empty() ? 0 : *std::ranges::max_element(sizes);
  std::uint64_t in_groups = 0;
  std::uint32_t groups = 0;
  for (const std::uint32_t size : sizes) {
    if (size < 2) continue;
    ++groups;
    in_groups += size;
  }
  // One that holds nearly all is a job with some ranks that do nothing.
  return groups >= 2 && 10 * (in_groups - largest) >= ranks;
}

}  // namespace

std::vector<Grouping> find_groupings(const TrafficGraph& graph) {
  constexpr double shares[] = {0, 0.005, 0.02, 0.05, 0.1};
  std::vector<Grouping> found;
  if (graph.edges() == 0) return found;
  const LightPairs light(graph);
  // Most traffic hangs together however much is left out: one look is enough.
  const auto finest = sizes_of(components(graph, light.first_kept(std::ranges::max(shares))));
  if (10 * std::uint64_t{std::ranges::max(finest)} > 9 * std::uint64_t{graph.ranks()}) return found;
  std::size_t before = classes;
  std::uint32_t count_before = 0;
  for (const double share : shares) {
    const std::size_t first_kept = light.first_kept(share);
    if (first_kept == before) continue;
    before = first_kept;
    Grouping grouping = components(graph, first_kept);
    if (grouping.count == count_before) continue;
    count_before = grouping.count;
    if (leaves_something_to_pack(grouping)) found.push_back(std::move(grouping));
  }
  return found;
}

}  // namespace kith::packing
