#include "mapping/exact/exact_search.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "mapping/budget.hpp"
#include "objective/wide.hpp"

namespace kith::exact {
namespace {

constexpr std::uint32_t most_ranks = 12;
constexpr std::size_t most_slots = 128;
constexpr std::uint64_t most_looked_at = 4096;  // allowed slots of a tree, before trimming
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// The allowed slots. Of trees whose objects are alike, as many children of each object as there
/// are ranks: more are never in use, and which ones makes no difference, unless ranks are at home
/// on some. Empty: too many.
std::vector<Slot> needed_slots(const MapTask& problem) {
  const SlotSet& allowed = problem.machine.allowed();
  const TreeMachine* tree = problem.machine.as_tree();
  if (tree == nullptr || !problem.options.fixed.empty() || problem.options.least > 0 ||
      problem.options.from || !tree->is_symmetric() || allowed.size() != tree->slots()) {
    return allowed.size() <= most_slots ? allowed.to_vector() : std::vector<Slot>{};
  }
  std::vector<Slot> slots;
  const std::uint32_t ranks = problem.graph.ranks();
  std::vector<std::uint64_t> objects{0};
  for (unsigned l = 0; l < tree->depth(); ++l) {
    std::vector<std::uint64_t> children;
    for (const std::uint64_t object : objects) {
      const std::uint64_t first = tree->first_child(l, object);
      const std::uint64_t count = tree->first_child(l, object + 1) - first;
      for (std::uint64_t c = 0; c < std::min<std::uint64_t>(count, ranks); ++c) {
        children.push_back(first + c);
      }
    }
    objects = std::move(children);
    if (objects.size() > most_looked_at) return {};
  }
  if (objects.size() > most_slots) return {};
  for (const std::uint64_t leaf : objects) slots.push_back(tree->slot_of_leaf(leaf));
  std::ranges::sort(slots);
  return slots;
}

/// The units that sums are counted in: halves are whole, and where moves count, so many moves that
/// cost nothing are less than one unit of the objective.
std::uint64_t units_per_cost(const MapTask& problem) {
  return problem.options.from ? 2 * (std::uint64_t{problem.graph.ranks()} + 1) : 2;
}

/// The most that a sum over pairs can be.
Wide most_of_pairs(const MapTask& problem, const DistanceTable& distance) {
  std::uint64_t farthest = 0;
  for (std::size_t a = 0; a < distance.slots(); ++a) {
    for (std::size_t b = 0; b < a; ++b) farthest = std::max(farthest, distance(a, b));
  }
  return Wide{total_weight(problem.graph)} * farthest;
}

/// All by index of rank in the order of placing, and of slot; sums in units.
class Search {
 public:
  Search(const MapTask& problem, std::vector<Slot> slots, DistanceTable distance,
         const Mapping& start, std::uint64_t most_steps)
      : problem_(problem),
        slots_(std::move(slots)),
        distance_(std::move(distance)),
        symmetry_(problem.machine, slots_, distance_),
        ranks_(problem.graph.ranks()),
        steps_left_(most_steps),
        units_(units_per_cost(problem)),
        best_(start),
        room_(slots_.size(), problem.options.capacity),
        place_(ranks_),
        pinned_(ranks_, slots_.size()),
        home_(ranks_, slots_.size()) {
    choose_order();
    read_weights();
    find_least_ahead();
    costs_.assign(ranks_ + 1, std::vector<std::uint64_t>(ranks_ * slots_.size()));
    if (problem.options.from) count_moves();
    best_sum_ = sum_of(start);
  }

  ExactAnswer run() {
    place(0, 0);
    return {std::move(best_), !stopped_};
  }

 private:
  std::size_t index_of(Slot slot) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(slots_, slot) - slots_.begin());
  }

  /// Fixed ranks, then always the one with most traffic to those before it, at first the busiest.
  void choose_order() {
    std::vector<bool> chosen(ranks_);
    const auto traffic = [&](std::uint32_t r) {
      std::pair<Wide, Wide> sum;  // to those chosen; to all
      for (std::size_t i = 0; i < problem_.graph.degree(Rank(r)); ++i) {
        const Weight weight = problem_.graph.weights(Rank(r))[i];
        if (chosen[problem_.graph.neighbours(Rank(r))[i].value]) sum.first += weight;
        sum.second += weight;
      }
      return sum;
    };
    for (const FixedRank& fixed : problem_.options.fixed) {
      if (chosen[fixed.rank.value]) continue;
      pinned_[order_.size()] = index_of(fixed.slot);
      order_.push_back(fixed.rank);
      chosen[fixed.rank.value] = true;
    }
    while (order_.size() < ranks_) {
      std::uint32_t next = ranks_;
      for (std::uint32_t r = 0; r < ranks_; ++r) {
        if (!chosen[r] && (next == ranks_ || traffic(r) > traffic(next))) next = r;
      }
      order_.emplace_back(next);
      chosen[next] = true;
    }
  }

  void read_weights() {
    std::vector<std::size_t> at(ranks_);
    for (std::size_t i = 0; i < ranks_; ++i) at[order_[i].value] = i;
    weight_.assign(ranks_ * ranks_, 0);
    for (std::size_t i = 0; i < ranks_; ++i) {
      for (std::size_t k = 0; k < problem_.graph.degree(order_[i]); ++k) {
        const std::size_t j = at[problem_.graph.neighbours(order_[i])[k].value];
        weight_[i * ranks_ + j] = problem_.graph.weights(order_[i])[k];
      }
    }
  }

  /// To begin with, a slot costs each rank what it costs to move there.
  void count_moves() {
    const Wide enough = most_of_pairs(problem_, distance_) + 1;  // no pair is worth a move then
    const auto cost =
        static_cast<std::uint64_t>(std::min(Wide{problem_.options.move_cost}, enough));
    for (std::size_t r = 0; r < ranks_; ++r) {
      const Slot home = (*problem_.options.from)[order_[r]];
      if (home == no_slot) continue;
      if (problem_.machine.allowed().contains(home)) home_[r] = index_of(home);
      for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (s != home_[r]) costs_[0][r * slots_.size() + s] = units_ * cost + 1;
      }
    }
  }

  std::uint64_t sum_of(const Mapping& mapping) const {
    const std::uint64_t pairs =
        evaluate_objective(problem_.graph, problem_.machine, mapping, problem_.options.objective);
    std::uint64_t sum = units_ * pairs;
    for (std::size_t r = 0; r < ranks_; ++r) {
      sum += costs_[0][r * slots_.size() + index_of(mapping[order_[r]])];
    }
    return sum;
  }

  /// What a rank costs at least on a slot with the ranks that are placed from `depth` on: half of
  /// each pair.
  void find_least_ahead() {
    const std::size_t slots = slots_.size();
    ahead_.assign(ranks_ + 1, std::vector<std::uint64_t>(ranks_ * slots));
    std::vector<std::vector<std::uint64_t>> nearest(slots);
    for (std::size_t s = 0; s < slots; ++s) {
      const std::uint32_t places = std::min(problem_.options.capacity, most_ranks);
      nearest[s].assign(places - 1, 0);
      for (std::size_t other = 0; other < slots; ++other) {
        if (other != s) nearest[s].insert(nearest[s].end(), places, distance_(s, other));
      }
      std::ranges::sort(nearest[s]);
    }
    for (std::size_t depth = 0; depth < ranks_; ++depth) {
      for (std::size_t r = depth; r < ranks_; ++r) {
        std::vector<std::uint64_t> weights;
        for (std::size_t other = depth; other < ranks_; ++other) {
          if (weight_[r * ranks_ + other] > 0) weights.push_back(weight_[r * ranks_ + other]);
        }
        std::ranges::sort(weights, std::greater{});
        for (std::size_t s = 0; s < slots; ++s) {
          for (std::size_t i = 0; i < weights.size() && i < nearest[s].size(); ++i) {
            ahead_[depth][r * slots + s] += units_ / 2 * weights[i] * nearest[s][i];
          }
        }
      }
    }
  }

  /// What all ranks from `depth` on cost at least: the pairs among themselves and with those in
  /// place, and their moves.
  std::uint64_t least_left(std::size_t depth) const {
    const std::size_t slots = slots_.size();
    std::uint64_t sum = 0;
    for (std::size_t r = depth; r < ranks_; ++r) {
      std::uint64_t least = never;
      for (std::size_t s = 0; s < slots; ++s) {
        if (room_[s] == 0) continue;
        least = std::min(least, costs_[depth][r * slots + s] + ahead_[depth][r * slots + s]);
      }
      if (least == never) return never;
      sum += least;
    }
    return sum;
  }

  /// Whether slots can still get as many ranks as each must.
  bool leaves_enough(std::size_t depth) const {
    const std::uint32_t least = problem_.options.least;
    if (least == 0) return true;
    std::uint64_t missing = 0;
    for (const std::uint32_t room : room_) {
      const std::uint32_t here = problem_.options.capacity - room;
      missing += here < least ? least - here : 0;
    }
    return missing <= ranks_ - depth;
  }

  void keep(std::uint64_t sum) {
    best_sum_ = sum;
    for (std::size_t i = 0; i < ranks_; ++i) {
      best_.slot_of[order_[i].value] = slots_[place_[i]];
    }
  }

  bool has_step() {
    if (stopped_) return false;
    if (steps_left_ == 0 || (problem_.budget != nullptr && !problem_.budget->spend())) {
      stopped_ = true;
      return false;
    }
    --steps_left_;
    return true;
  }

  /// `in_use` and the homes of ranks to come: to stay, a rank needs its own slot, no other.
  std::vector<std::size_t> with_homes(std::vector<std::size_t> in_use, std::size_t depth) const {
    for (std::size_t r = depth; r < ranks_; ++r) {
      if (home_[r] < slots_.size()) in_use.push_back(home_[r]);
    }
    std::ranges::sort(in_use);
    in_use.erase(std::unique(in_use.begin(), in_use.end()), in_use.end());
    return in_use;
  }

  /// Slots to try for the rank at `depth`, the most promising first.
  std::vector<std::size_t> candidates(std::size_t depth) {
    const std::size_t slots = slots_.size();
    if (pinned_[depth] < slots) return {pinned_[depth]};
    std::vector<std::size_t> in_use;
    for (std::size_t s = 0; s < slots; ++s) {
      if (room_[s] < problem_.options.capacity) in_use.push_back(s);
    }
    const auto& first_alike = symmetry_.first_alike(with_homes(in_use, depth));
    std::vector<std::size_t> chosen;
    for (std::size_t s = 0; s < slots; ++s) {
      if (room_[s] > 0 && first_alike[s] == s) chosen.push_back(s);
    }
    const auto cost = [&](std::size_t s) {
      return costs_[depth][depth * slots + s] + ahead_[depth][depth * slots + s];
    };
    std::ranges::stable_sort(chosen, {}, cost);
    return chosen;
  }

  /// `sum`: that of the ranks in place.
  void place(std::size_t depth, std::uint64_t sum) {
    if (depth == ranks_) {
      if (sum < best_sum_) keep(sum);
      return;
    }
    const std::size_t slots = slots_.size();
    for (const std::size_t slot : candidates(depth)) {
      if (!has_step()) return;
      const std::uint64_t here = sum + costs_[depth][depth * slots + slot];
      if (room_[slot] == 0 || here >= best_sum_) continue;
      --room_[slot];
      place_[depth] = slot;
      costs_[depth + 1] = costs_[depth];
      for (std::size_t r = depth + 1; r < ranks_; ++r) {
        const std::uint64_t weight = units_ * weight_[r * ranks_ + depth];
        if (weight == 0) continue;
        for (std::size_t s = 0; s < slots; ++s) {
          costs_[depth + 1][r * slots + s] += weight * distance_(slot, s);
        }
      }
      const std::uint64_t left = least_left(depth + 1);
      if (left < best_sum_ && here + left < best_sum_ && leaves_enough(depth + 1)) {
        place(depth + 1, here);
      }
      ++room_[slot];
    }
  }

  const MapTask problem_;
  std::vector<Slot> slots_;
  DistanceTable distance_;
  SlotSymmetry symmetry_;
  std::uint32_t ranks_;
  std::uint64_t steps_left_;
  bool stopped_ = false;
  std::uint64_t units_;
  Mapping best_;
  std::uint64_t best_sum_ = never;
  std::vector<std::uint32_t> room_;
  std::vector<std::size_t> place_;
  std::vector<std::size_t> pinned_;  // slots_.size(): anywhere
  std::vector<std::size_t> home_;    // slots_.size(): nowhere, or gone
  std::vector<Rank> order_;
  std::vector<std::uint64_t> weight_;
  std::vector<std::vector<std::uint64_t>> ahead_;  // by depth: rank x slot
  std::vector<std::vector<std::uint64_t>> costs_;  // with the ranks in place, the same way
};

/// Each move adds at most what all pairs together may cost, and a bit.
bool sums_fit(const MapTask& problem, const DistanceTable& distance) {
  const Wide most = most_of_pairs(problem, distance);
  const Wide moves = problem.options.from ? most + 2 : 0;
  return most < Wide{1} << 60U &&
         units_per_cost(problem) * (most + problem.graph.ranks() * moves) < Wide{1} << 62U;
}

}  // namespace

std::optional<ExactAnswer> search_exactly(const MapTask& problem, const Mapping& start,
                                          std::uint64_t most_steps) {
  const MapOptions& options = problem.options;
  if (problem.graph.ranks() > most_ranks || problem.graph.ranks() == 0 || options.goal ||
      (options.least > 0 && !options.fixed.empty())) {
    return std::nullopt;
  }
  std::vector<Slot> slots = needed_slots(problem);
  if (slots.empty()) return std::nullopt;
  DistanceTable distance(problem.machine, options.objective, slots);
  if (!sums_fit(problem, distance)) return std::nullopt;
  return Search(problem, std::move(slots), std::move(distance), start, most_steps).run();
}

}  // namespace kith::exact
