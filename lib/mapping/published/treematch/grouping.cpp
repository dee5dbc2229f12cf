#include <algorithm>
#include <bit>
#include <limits>

#include "core/rng.hpp"
#include "mapping/published/treematch/treematch.hpp"

namespace kith::treematch {

// Bucket grouping, section 4.2.2 of the paper: pairs by falling communication, each taken unless
// one of its elements is. Only pairs that communicate are looked at; elements left over are paired
// in their order.
//
// Open in the paper and chosen here: pairs of equal communication come by their lower, then their
// higher element, so that the sample does not change the answer. The formula for the number of
// buckets, its footnote and table 1 disagree; the footnote is followed: the largest power of two
// not above log2 n.

namespace {

struct Pair {
  Weight weight;
  std::uint32_t low;
  std::uint32_t high;
  /// The order in which pairs are considered.
  bool operator<(const Pair& other) const {
    if (weight != other.weight) return weight > other.weight;
    return low != other.low ? low < other.low : high < other.high;
  }
};

/// Lowest weight of each bucket, falling; the last is 1, the least that a pair can have.
std::vector<Weight> pivots_of(const ElementGraph& graph, std::uint64_t seed) {
  const auto log2 = static_cast<unsigned>(std::bit_width(graph.size()) - 1);
  const unsigned buckets = std::bit_floor(std::max(log2, 1U));
  std::vector<Weight> sample(std::size_t{1} << buckets);
  Rng random(seed);
  for (Weight& weight : sample) weight = graph.weights[random.below(graph.weights.size())];
  std::ranges::sort(sample, std::greater{});
  std::vector<Weight> pivots;
  for (unsigned i = 1; i < buckets; ++i) {
    pivots.push_back(std::max<Weight>(sample[std::size_t{1} << i], 1));
  }
  pivots.push_back(1);
  return pivots;
}

class PairMaker {
 public:
  explicit PairMaker(const ElementGraph& graph)
      : graph_(graph), group_of_(graph.size(), none), left_(graph.size()) {}

  std::vector<std::uint32_t> run(std::uint64_t seed) {
    if (!graph_.weights.empty()) {
      Weight above = std::numeric_limits<Weight>::max();
      for (const Weight lowest : pivots_of(graph_, seed)) {
        if (left_ == 0) break;
        pair_up(lowest, above);
        above = lowest - 1;
      }
    }
    pair_the_rest();
    number_by_lowest(group_of_, groups_);
    return std::move(group_of_);
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// One bucket: the pairs with weights from `lowest` to `highest`.
  void pair_up(Weight lowest, Weight highest) {
    std::vector<Pair> bucket;
    for (std::uint32_t low = 0; low < graph_.size(); ++low) {
      if (group_of_[low] != none) continue;
      const auto neighbours = graph_.neighbours_of(low);
      const auto weights = graph_.weights_of(low);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (neighbours[i] < low || group_of_[neighbours[i]] != none) continue;
        if (weights[i] < lowest || weights[i] > highest) continue;
        bucket.push_back({weights[i], low, neighbours[i]});
      }
    }
    std::ranges::sort(bucket, std::less{});
    for (const Pair& pair : bucket) {
      if (group_of_[pair.low] == none && group_of_[pair.high] == none) take(pair.low, pair.high);
    }
  }

  void pair_the_rest() {
    std::uint32_t waiting = none;
    for (std::uint32_t element = 0; element < graph_.size(); ++element) {
      if (group_of_[element] != none) continue;
      if (waiting == none) {
        waiting = element;
      } else {
        take(waiting, element);
        waiting = none;
      }
    }
  }

  void take(std::uint32_t low, std::uint32_t high) {
    group_of_[low] = group_of_[high] = groups_++;
    left_ -= 2;
  }

  const ElementGraph& graph_;
  std::vector<std::uint32_t> group_of_;
  std::uint32_t left_;
  std::uint32_t groups_ = 0;
};

}  // namespace

std::vector<std::uint32_t> bucket_grouping(const ElementGraph& graph, std::uint64_t seed) {
  return PairMaker(graph).run(seed);
}

namespace {

/// The number of groups of `arity` out of `elements`, or any number above `threshold`.
std::uint64_t possible_groups(std::uint32_t elements, std::uint32_t arity,
                              std::uint64_t threshold) {
  std::uint64_t groups = 1;
  const std::uint32_t factors = std::min(arity, elements - arity);
  for (std::uint64_t i = 1; i <= factors && groups <= threshold; ++i) {
    groups = groups * (elements - factors + i) / i;  // below threshold x elements: no overflow
  }
  return groups;
}

}  // namespace

GroupingMethod grouping_method(std::uint32_t elements, std::uint32_t arity,
                               std::uint64_t threshold) {
  if (possible_groups(elements, arity, threshold) <= threshold) return GroupingMethod::exhaustive;
  if (arity == 2) return GroupingMethod::bucket;
  constexpr std::uint32_t largest_fast_arity = 5;  // algorithm 1; the text says "lower than 5"
  return arity <= largest_fast_arity ? GroupingMethod::fast : GroupingMethod::k_partition;
}

std::vector<std::uint32_t> group_elements(const ElementGraph& graph, std::uint32_t arity,
                                          std::uint64_t threshold,
                                          const PartitionOptions& options) {
  const std::uint32_t groups = graph.size() / arity;
  if (groups == 1) return std::vector<std::uint32_t>(graph.size(), 0);
  switch (grouping_method(graph.size(), arity, threshold)) {
    case GroupingMethod::exhaustive:
      return exhaustive_grouping(graph, arity);
    case GroupingMethod::bucket:
      return bucket_grouping(graph, options.seed);
    case GroupingMethod::fast:
      return fast_grouping(graph, arity);
    case GroupingMethod::k_partition:
      break;
  }
  auto group_of = k_partition(graph, std::vector<std::uint32_t>(groups, arity), options);
  number_by_lowest(group_of, groups);
  return group_of;
}

}  // namespace kith::treematch
