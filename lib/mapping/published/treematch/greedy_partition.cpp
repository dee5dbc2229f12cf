#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <queue>

#include "mapping/published/treematch/treematch.hpp"
#include "objective/wide.hpp"

namespace kith::treematch {
namespace {

/// An element that a part could take next; the top of a heap has the largest key, then the lowest
/// tie. Keys only grow, so that an element's newest entry comes first.
template <class Key>
struct Candidate {
  Key key;
  std::uint32_t tie;
  std::uint32_t element;
  bool operator<(const Candidate& other) const {
    return key != other.key ? key < other.key : tie > other.tie;
  }
};

class PartGrower {
 public:
  explicit PartGrower(const ElementGraph& graph)
      : graph_(graph), free_(graph), connection_(graph.size()) {}

  std::vector<std::uint32_t> run(std::span<const std::uint32_t> sizes) {
    std::vector<std::uint32_t> part_of(graph_.size());
    for (std::uint32_t part = 0; part < sizes.size(); ++part) {
      for (std::uint32_t i = 0; i < sizes[part]; ++i) {
        const std::uint32_t element = i == 0 ? free_.seed() : next();
        part_of[element] = part;
        take(element);
      }
      for (const std::uint32_t element : touched_) connection_[element] = 0;
      touched_.clear();
      frontier_ = {};
    }
    return part_of;
  }

 private:
  std::uint32_t next() {
    constexpr std::size_t most_ties = 16;
    std::vector<Candidate<Weight>> ties;
    while (!frontier_.empty() && ties.size() < most_ties) {
      const Candidate<Weight> top = frontier_.top();
      const bool is_old = !free_.contains(top.element) || top.key != connection_[top.element];
      if (!is_old && !ties.empty() && top.key != ties.front().key) break;
      frontier_.pop();
      if (!is_old) ties.push_back(top);
    }
    if (ties.empty()) return free_.cheapest([](std::uint32_t) { return false; });
    std::uint32_t best = ties.front().element;
    if (ties.size() > 1) {
      Weight most = prepared_by(best);
      for (const auto& tie : std::span(ties).subspan(1)) {
        const Weight prepared = prepared_by(tie.element);
        if (prepared <= most) continue;
        most = prepared;
        best = tie.element;
      }
    }
    for (const auto& tie : ties) {
      if (tie.element != best) frontier_.push(tie);
    }
    return best;
  }

  /// The most that a neighbour of `element` would have in common with the part afterwards.
  Weight prepared_by(std::uint32_t element) const {
    const auto neighbours = graph_.neighbours_of(element);
    const auto weights = graph_.weights_of(element);
    Weight most = 0;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (!free_.contains(neighbours[i])) continue;
      most = std::max(most, connection_[neighbours[i]] + weights[i]);
    }
    return most;
  }

  void take(std::uint32_t element) {
    free_.take(element);
    const auto neighbours = graph_.neighbours_of(element);
    const auto weights = graph_.weights_of(element);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t other = neighbours[i];
      if (!free_.contains(other) || weights[i] == 0) continue;
      if (connection_[other] == 0) touched_.push_back(other);
      connection_[other] += weights[i];
      frontier_.push({connection_[other], other, other});
    }
  }

  const ElementGraph& graph_;
  FreeElements free_;
  std::vector<Weight> connection_;  // with the part that grows
  std::vector<std::uint32_t> touched_;
  std::priority_queue<Candidate<Weight>> frontier_;
};

/// Divides sets of elements in two until each has one part.
class Bisector {
 public:
  Bisector(const ElementGraph& graph, std::span<const std::uint32_t> sizes)
      : graph_(graph),
        sizes_(sizes),
        first_of_set_(graph.size(), 0),
        inside_(graph.size(), 0),
        connection_(graph.size()),
        communication_(graph.size()) {}

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> all(graph_.size());
    std::iota(all.begin(), all.end(), 0U);
    divide(all, 0, static_cast<std::uint32_t>(sizes_.size()));
    return std::move(first_of_set_);
  }

 private:
  struct Half {
    std::vector<std::uint32_t> elements;
    SignedWide cut = 0;
  };

  /// `elements`, ascending, are those of parts first .. end-1.
  void divide(const std::vector<std::uint32_t>& elements, std::uint32_t first, std::uint32_t end) {
    if (end - first == 1) return;
    const std::uint32_t middle = first + (end - first + 1) / 2;
    std::uint32_t size = 0;
    for (std::uint32_t p = first; p < middle; ++p) size += sizes_[p];
    std::optional<Half> best;
    for (const std::uint32_t seed : seeds(elements)) {
      for (const bool highest : {false, true}) {
        Half half = grow(elements, seed, size, highest);
        if (!best || half.cut < best->cut) best = std::move(half);
      }
    }
    std::ranges::sort(best->elements);
    std::vector<std::uint32_t> rest;
    std::ranges::set_difference(elements, best->elements, std::back_inserter(rest));
    for (const std::uint32_t e : rest) first_of_set_[e] = middle;
    divide(best->elements, first, middle);
    divide(rest, middle, end);
  }

  /// Of the elements that communicate least within the set, but do, the first and the middle one.
  std::vector<std::uint32_t> seeds(const std::vector<std::uint32_t>& elements) {
    const std::uint32_t set = first_of_set_[elements.front()];
    Weight least = 0;
    std::vector<std::uint32_t> quiet;
    for (const std::uint32_t e : elements) {
      const auto neighbours = graph_.neighbours_of(e);
      const auto weights = graph_.weights_of(e);
      Weight sum = 0;
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (first_of_set_[neighbours[i]] == set) sum += weights[i];
      }
      communication_[e] = sum;
      if (sum == 0 || (least != 0 && sum > least)) continue;
      if (sum != least) quiet.clear();
      least = sum;
      quiet.push_back(e);
    }
    if (quiet.empty()) return {elements.front()};
    return {quiet.front(), quiet[quiet.size() / 2]};
  }

  Half grow(const std::vector<std::uint32_t>& elements, std::uint32_t seed, std::uint32_t size,
            bool ties_to_highest) {
    const std::uint32_t set = first_of_set_[seed];
    Half half;
    std::priority_queue<Candidate<SignedWide>> frontier;
    const auto take = [&](std::uint32_t element) {
      half.cut += SignedWide{communication_[element]} - 2 * SignedWide{connection_[element]};
      half.elements.push_back(element);
      inside_[element] = true;
      const auto neighbours = graph_.neighbours_of(element);
      const auto weights = graph_.weights_of(element);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const std::uint32_t other = neighbours[i];
        if (first_of_set_[other] != set || inside_[other]) continue;
        connection_[other] += weights[i];
        frontier.push({2 * SignedWide{connection_[other]} - SignedWide{communication_[other]},
                       ties_to_highest ? ~other : other, other});
      }
    };
    take(seed);
    std::size_t lowest = 0;
    while (half.elements.size() < size) {
      while (!frontier.empty() && inside_[frontier.top().element]) frontier.pop();
      if (frontier.empty()) {
        while (inside_[elements[lowest]]) ++lowest;
        take(elements[lowest]);
        continue;
      }
      const std::uint32_t element = frontier.top().element;
      frontier.pop();
      take(element);
    }
    for (const std::uint32_t e : elements) {
      inside_[e] = false;
      connection_[e] = 0;
    }
    return half;
  }

  const ElementGraph& graph_;
  std::span<const std::uint32_t> sizes_;
  std::vector<std::uint32_t> first_of_set_;  // the first part of the set that an element is in
  std::vector<bool> inside_;                 // the half that grows
  std::vector<Weight> connection_;           // with the half that grows
  std::vector<Weight> communication_;        // within the set
};

}  // namespace

std::vector<std::uint32_t> growing_partition(const ElementGraph& graph,
                                             std::span<const std::uint32_t> sizes) {
  return PartGrower(graph).run(sizes);
}

std::vector<std::uint32_t> bisecting_partition(const ElementGraph& graph,
                                               std::span<const std::uint32_t> sizes) {
  return Bisector(graph, sizes).run();
}

}  // namespace kith::treematch
