#include "mapping/remap/remap.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "core/rng.hpp"
#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/value.hpp"
#include "objective/swap_gain.hpp"

namespace kith {
namespace {

/// Beyond it the assignment takes longer than the exchanges.
constexpr std::size_t most_assigned = 128;

/// Ranks of one local index that may change hosts.
using LocalClass = std::vector<Rank>;

std::vector<LocalClass> classes_of(const MapTask& problem,
                                   const std::vector<std::uint32_t>& index) {
  std::vector<bool> stays(problem.graph.ranks());
  for (const FixedRank& fixed : problem.options.fixed) stays[fixed.rank.value] = true;
  std::vector<LocalClass> classes;
  for (Rank r(0); r.value < problem.graph.ranks(); ++r) {
    if (stays[r.value]) continue;
    if (classes.size() <= index[r.value]) classes.resize(index[r.value] + 1ULL);
    classes[index[r.value]].push_back(r);
  }
  std::erase_if(classes, [](const LocalClass& ranks) { return ranks.size() < 2; });
  return classes;
}

/// How much may be spent: starts, and neighbours looked at in all of them.
struct Limits {
  unsigned starts = 0;
  std::uint64_t visits = 0;
};

Limits limits_of(Effort effort, std::uint32_t ranks) {
  constexpr std::uint32_t few = 256;
  switch (effort) {
    case Effort::fast:
      return {ranks <= few ? 32U : 4U, 30'000'000};
    case Effort::balanced:
      return {ranks <= few ? 256U : 8U, 400'000'000};
    case Effort::best:
      break;
  }
  return {ranks <= few ? 2048U : 32U, 4'000'000'000};
}

template <class Distance>
class LocalSearch {
 public:
  LocalSearch(const MapTask& problem, const std::vector<LocalClass>& classes, Mapping mapping,
              const Distance& distance, std::uint64_t& visits_left)
      : graph_(problem.graph),
        classes_(classes),
        class_of_(problem.graph.ranks(), no_class),
        mapping_(std::move(mapping)),
        gain_(graph_, mapping_, distance),
        visits_left_(visits_left) {
    for (std::uint32_t c = 0; c < classes.size(); ++c) {
      for (const Rank r : classes[c]) class_of_[r.value] = c;
    }
  }

  /// Assigns one class after the other to those before it and to the ranks that stay.
  void start_greedily(const std::vector<std::uint32_t>& order) {
    std::vector<bool> counts(classes_.size(), false);
    for (const std::uint32_t c : order) {
      assign(c, &counts);
      counts[c] = true;
    }
  }

  void shuffle(Rng& rng) {
    for (const LocalClass& ranks : classes_) {
      for (std::size_t i = ranks.size(); i-- > 1;) {
        std::swap(mapping_.slot_of[ranks[i].value],
                  mapping_.slot_of[ranks[rng.below(i + 1)].value]);
      }
    }
  }

  Mapping improve() {
    bool gained = true;
    while (gained && visits_left_ > 0) {
      gained = false;
      for (std::uint32_t c = 0; c < classes_.size(); ++c) gained = reassign(c) || gained;
      gained = exchange() || gained;
    }
    return std::move(mapping_);
  }

 private:
  static constexpr std::uint32_t no_class = UINT32_MAX;

  void spend(std::uint64_t visits) { visits_left_ -= std::min(visits_left_, visits); }

  /// What rank `r` costs on `slot` with neighbours of other classes; of those only that `counts`.
  SignedWide cost(Rank r, Slot slot, const std::vector<bool>* counts) {
    const auto neighbours = graph_.neighbours(r);
    const auto weights = graph_.weights(r);
    SignedWide sum = 0;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t other = class_of_[neighbours[i].value];
      if (other == class_of_[r.value] && other != no_class) continue;
      if (counts != nullptr && other != no_class && !(*counts)[other]) continue;
      sum += static_cast<SignedWide>(weights[i]) *
             static_cast<SignedWide>(gain_.distance()(slot, mapping_[neighbours[i]]));
    }
    spend(neighbours.size());
    return sum;
  }

  /// Puts class `c` on the best hosts, as if its ranks did not talk with each other.
  void assign(std::uint32_t c, const std::vector<bool>* counts) {
    const LocalClass& ranks = classes_[c];
    const auto n = static_cast<std::uint32_t>(ranks.size());
    if (n > most_assigned || visits_left_ == 0) return;
    std::vector<Slot> slots;
    for (const Rank r : ranks) slots.push_back(mapping_[r]);
    std::vector<SignedWide> costs;
    costs.reserve(std::size_t{n} * n);
    for (const Rank r : ranks) {
      for (const Slot slot : slots) costs.push_back(cost(r, slot, counts));
    }
    spend(std::uint64_t{n} * n * n / 8);
    const std::vector<std::uint32_t> chosen = least_assignment(costs, n);
    for (std::uint32_t i = 0; i < n; ++i) mapping_.slot_of[ranks[i].value] = slots[chosen[i]];
  }

  /// The sum over all pairs that have a rank of class `c`; pairs within it count twice.
  SignedWide total(std::uint32_t c) {
    SignedWide sum = 0;
    for (const Rank r : classes_[c]) {
      const auto neighbours = graph_.neighbours(r);
      const auto weights = graph_.weights(r);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const bool within = class_of_[neighbours[i].value] == c;
        sum += static_cast<SignedWide>(weights[i]) * (within ? 1 : 2) *
               static_cast<SignedWide>(gain_.distance()(mapping_[r], mapping_[neighbours[i]]));
      }
      spend(neighbours.size());
    }
    return sum;
  }

  bool reassign(std::uint32_t c) {
    std::vector<Slot> before;
    for (const Rank r : classes_[c]) before.push_back(mapping_[r]);
    const SignedWide sum = total(c);
    assign(c, nullptr);
    if (total(c) < sum) return true;
    for (std::size_t i = 0; i < before.size(); ++i) {
      mapping_.slot_of[classes_[c][i].value] = before[i];
    }
    return false;
  }

  bool exchange() {
    bool gained = false;
    for (const LocalClass& ranks : classes_) {
      for (std::size_t i = 0; i < ranks.size() && visits_left_ > 0; ++i) {
        for (std::size_t j = i + 1; j < ranks.size() && visits_left_ > 0; ++j) {
          spend(graph_.neighbours(ranks[i]).size() + graph_.neighbours(ranks[j]).size() + 1);
          if (gain_.swap(ranks[i], ranks[j]) >= 0) continue;
          std::swap(mapping_.slot_of[ranks[i].value], mapping_.slot_of[ranks[j].value]);
          gained = true;
        }
      }
    }
    return gained;
  }

  const TrafficGraph& graph_;
  const std::vector<LocalClass>& classes_;
  std::vector<std::uint32_t> class_of_;  // by rank
  Mapping mapping_;
  SwapGain<Distance> gain_;
  std::uint64_t& visits_left_;
};

/// Of several starts: the identity, greedy ones, random ones.
Mapping best_of_starts(const MapTask& problem, const std::vector<LocalClass>& classes,
                       const Mapping& identity) {
  const MappingValuer value(problem);
  Limits limits = limits_of(problem.options.effort, problem.graph.ranks());
  Rng rng(problem.options.seed);
  Mapping best = identity;
  MappingValue least = value(identity);
  with_distance(problem.machine, problem.options.objective, [&](const auto& distance) {
    using Distance = std::decay_t<decltype(distance)>;
    for (unsigned start = 0; start < limits.starts && limits.visits > 0; ++start) {
      LocalSearch<Distance> search(problem, classes, identity, distance, limits.visits);
      if (start > 1) search.shuffle(rng);
      if (start % 2 == 1) {
        const auto count = static_cast<std::uint32_t>(classes.size());
        search.start_greedily(random_permutation(count, rng.next()));
      }
      Mapping found = search.improve();
      if (const MappingValue reached = value(found); reached < least) {
        least = reached;
        best = std::move(found);
      }
    }
  });
  return best;
}

}  // namespace

std::vector<std::uint32_t> local_indices(const Machine& machine) {
  std::map<std::uint64_t, std::uint32_t> next;
  std::vector<std::uint32_t> indices;
  for (std::uint64_t i = 0; i < machine.allowed().size(); ++i) {
    indices.push_back(next[machine.node_of(machine.allowed().at(i))]++);
  }
  return indices;
}

MapResult map_keeping_local_indices(const MapTask& problem,
                                    const std::vector<std::uint32_t>& indices) {
  const auto begin = std::chrono::steady_clock::now();
  if (problem.graph.ranks() != problem.machine.allowed().size()) {
    throw bad_input("KITH_KEEP_LOCAL", "a rank on each slot",
                    std::to_string(problem.machine.allowed().size()) + " slots");
  }
  if (indices.size() != problem.graph.ranks()) {
    throw bad_input("KITH_KEEP_LOCAL", "the local index of each rank",
                    std::to_string(indices.size()) + " indices");
  }
  const Mapping identity = identity_mapping(problem.graph.ranks(), problem.machine, 1);
  MapResult result;
  result.mapping = best_of_starts(problem, classes_of(problem, indices), identity);
  result.algorithm = "local";
  result.explanation = {"ranks keep their local index (KITH_KEEP_LOCAL)"};
  check_mapping(result.mapping, problem.machine, 1);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace kith
