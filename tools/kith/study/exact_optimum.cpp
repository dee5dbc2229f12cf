#include "study/exact_optimum.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "kith/error.hpp"

namespace kith::tools {
namespace {

using Table = std::vector<std::vector<std::uint64_t>>;

Table distances_between(const std::vector<Slot>& slots, const MapProblem& problem) {
  Table distance(slots.size(), std::vector<std::uint64_t>(slots.size()));
  for (std::size_t a = 0; a < slots.size(); ++a) {
    for (std::size_t b = 0; b < slots.size(); ++b) {
      distance[a][b] = problem.options.objective == Objective::hop_bytes
                           ? problem.machine.hops(slots[a], slots[b])
                           : problem.machine.cost(slots[a], slots[b]);
    }
  }
  return distance;
}

Table weights_between(const TrafficGraph& graph) {
  Table weight(graph.ranks(), std::vector<std::uint64_t>(graph.ranks()));
  for (Rank r(0); r.value < graph.ranks(); ++r) {
    for (std::size_t i = 0; i < graph.degree(r); ++i) {
      weight[r.value][graph.neighbours(r)[i].value] = graph.weights(r)[i];
    }
  }
  return weight;
}

/// Slots with the same distances to all others: any two of one class may be exchanged.
std::vector<std::size_t> twin_classes(const Table& distance) {
  const std::size_t slots = distance.size();
  const auto are_twins = [&](std::size_t a, std::size_t b) {
    for (std::size_t x = 0; x < slots; ++x) {
      if (x != a && x != b && distance[a][x] != distance[b][x]) return false;
    }
    return true;
  };
  std::vector<std::size_t> class_of(slots);
  for (std::size_t a = 0; a < slots; ++a) {
    class_of[a] = a;
    for (std::size_t b = 0; b < a && class_of[a] == a; ++b) {
      if (class_of[b] == b && are_twins(a, b)) class_of[a] = b;
    }
  }
  return class_of;
}

class Search {
 public:
  explicit Search(const MapProblem& problem)
      : slots_(problem.machine.allowed().to_vector()),
        distance_(distances_between(slots_, problem)),
        weight_(weights_between(problem.graph)),
        twins_(twin_classes(distance_)),
        ranks_(problem.graph.ranks()),
        order_(ranks_),
        place_of_(ranks_),
        taken_(slots_.size()) {
    // Each next rank is the one with the most traffic to those before it: sums grow early.
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t i = 0; i < ranks_; ++i) {
      const auto traffic = [&](std::size_t r) {
        std::uint64_t sum = 0;
        for (std::size_t k = 0; k < i; ++k) sum += weight_[r][order_[k]];
        return sum;
      };
      const auto next = order_.begin() + static_cast<std::ptrdiff_t>(i);
      std::iter_swap(next, std::max_element(next, order_.end(), [&](std::size_t a, std::size_t b) {
                       return traffic(a) < traffic(b);
                     }));
    }
    // Whatever is not yet summed is at least this far.
    std::uint64_t nearest = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t a = 0; a < slots_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) nearest = std::min(nearest, distance_[a][b]);
    }
    left_.assign(ranks_ + 1, 0);
    for (std::size_t i = ranks_; i-- > 0;) {
      left_[i] = left_[i + 1];
      for (std::size_t k = 0; k < i; ++k) left_[i] += nearest * weight_[order_[i]][order_[k]];
    }
  }

  Optimum run() {
    place(0, 0);
    Optimum optimum;
    optimum.objective = best_;
    for (const std::size_t place : best_place_of_) optimum.mapping.slot_of.push_back(slots_[place]);
    return optimum;
  }

 private:
  void place(std::size_t index, std::uint64_t sum) {
    if (index == ranks_) {
      best_ = sum;
      best_place_of_ = place_of_;
      return;
    }
    const std::size_t rank = order_[index];
    std::vector<bool> tried(slots_.size());
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      if (taken_[slot] || tried[twins_[slot]]) continue;
      tried[twins_[slot]] = true;
      std::uint64_t here = sum;
      for (std::size_t k = 0; k < index; ++k) {
        here += weight_[rank][order_[k]] * distance_[slot][place_of_[order_[k]]];
      }
      if (here + left_[index + 1] >= best_) continue;
      taken_[slot] = true;
      place_of_[rank] = slot;
      place(index + 1, here);
      taken_[slot] = false;
    }
  }

  std::vector<Slot> slots_;
  Table distance_;
  Table weight_;
  std::vector<std::size_t> twins_;
  std::size_t ranks_;
  std::vector<std::size_t> order_;     // of placing
  std::vector<std::uint64_t> left_;    // least that ranks from the i-th on still add
  std::vector<std::size_t> place_of_;  // index into slots_
  std::vector<bool> taken_;
  std::uint64_t best_ = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::size_t> best_place_of_;
};

}  // namespace

Optimum exact_optimum(const MapProblem& problem) {
  return Search(problem).run();
}

}  // namespace kith::tools
