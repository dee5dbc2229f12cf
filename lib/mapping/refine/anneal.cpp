#include "mapping/refine/refine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "mapping/budget.hpp"
#include "mapping/constraints.hpp"
#include "mapping/refine/anneal_places.hpp"
#include "mapping/refine/near_slots.hpp"
#include "objective/distance.hpp"

namespace kith {
namespace {

/// The plain space of places for anneal(): each place is a slot, distances are those of `Distance`.
template <class Distance>
class SlotPlaces {
 public:
  using Place = Slot;
  explicit SlotPlaces(Distance distance) : distance_(std::move(distance)) {}
  Place place(Slot slot) const { return slot; }
  auto from(Place from) const {
    return [from, this](Place to) { return distance_(from, to); };
  }

 private:
  Distance distance_;
};

/// The ranks on each slot: an array where slots take one rank each and are not far more than ranks.
class Seats {
 public:
  static constexpr std::uint32_t none = Occupancy::no_rank;

  Seats(Mapping mapping, const MapTask& problem)
      : capacity_(problem.options.capacity), occupancy_(Mapping{}) {
    constexpr std::uint64_t most_for_rank = 64;
    const std::uint64_t slots = problem.machine.slots();
    if (capacity_ > 1 || slots > most_for_rank * (mapping.ranks() + 1024)) {
      occupancy_ = Occupancy(std::move(mapping));
      return;
    }
    mapping_ = std::move(mapping);
    rank_on_.assign(slots, none);
    for (std::uint32_t r = 0; r < mapping_.ranks(); ++r) rank_on_[mapping_.slot_of[r].value] = r;
  }

  Slot slot(Rank r) const { return mapping()[r]; }
  const Mapping& mapping() const { return rank_on_.empty() ? occupancy_.mapping() : mapping_; }
  Mapping take() { return rank_on_.empty() ? occupancy_.take() : std::move(mapping_); }

  /// Some rank on the slot; none where another has room there.
  std::uint32_t rank_to_displace(Slot slot, QuickRng& rng) const {
    if (!rank_on_.empty()) return rank_on_[slot.value];
    const std::uint32_t count = occupancy_.count(slot);
    if (count < capacity_) return none;
    std::uint32_t rank = occupancy_.first(slot);
    if (count == 1) return rank;
    for (std::uint32_t skip = rng.below(count); skip-- > 0;) rank = occupancy_.next(rank);
    return rank;
  }
  std::uint32_t count(Slot slot) const {
    return rank_on_.empty() ? occupancy_.count(slot) : rank_on_[slot.value] == none ? 0 : 1;
  }

  void move(Rank r, Slot to) {
    if (rank_on_.empty()) return occupancy_.move(r, to);
    rank_on_[mapping_[r].value] = none;
    sit(r, to);
  }
  void swap(Rank a, Rank b) {
    if (rank_on_.empty()) return occupancy_.swap(a, b);
    const Slot of_a = mapping_[a];
    sit(a, mapping_[b]);
    sit(b, of_a);
  }

 private:
  void sit(Rank r, Slot slot) {
    mapping_.slot_of[r.value] = slot;
    rank_on_[slot.value] = r.value;
  }

  std::uint32_t capacity_;
  Occupancy occupancy_;
  Mapping mapping_;
  std::vector<std::uint32_t> rank_on_;  // by slot; empty: occupancy_ knows
};

/// -log of uniform random numbers: one of so many, each as likely.
std::vector<double> patience_table() {
  constexpr std::size_t size = 4096;
  std::vector<double> table;
  for (std::size_t i = 0; i < size; ++i) {
    table.push_back(-std::log((static_cast<double>(i) + 0.5) / static_cast<double>(size)));
  }
  return table;
}

/// Costs are kept in floating point: any weight times any distance fits, and below 2^53 all is
/// exact. Nothing but this search relies on them.
template <class Places>
class Annealer {
 public:
  Annealer(const MapTask& problem, Mapping mapping, Places places, std::uint64_t seed,
           Budget* budget)
      : graph_(problem.graph),
        least_(problem.options.least),
        budget_(budget),
        places_(std::move(places)),
        proposals_(problem.machine),
        rng_(seed),
        leaves_brothers_(problem.options.capacity == 1),
        seats_(std::move(mapping), problem),
        pinned_(graph_.ranks()),
        patience_(patience_table()) {
    for (const FixedRank& fixed : problem.options.fixed) pinned_[fixed.rank.value] = true;
    for (Rank r(0); r.value < graph_.ranks(); ++r) {
      place_.push_back(places_.place(seats_.slot(r)));
      if (!pinned_[r.value] && graph_.degree(r) > 0) movable_.push_back(r);
    }
    const auto weights = graph_.all_weights();
    const auto neighbours = graph_.all_neighbours();
    pairs_.reserve(weights.size());
    for (std::size_t e = 0; e < weights.size(); ++e) {
      pairs_.push_back({static_cast<double>(weights[e]), neighbours[e].value});
    }
    for (Rank r(0); r.value < graph_.ranks(); ++r) cost_.push_back(cost_at(r, place_[r.value]));
  }

  Mapping run(const Cooling& cooling) {
    Mapping start = seats_.mapping();
    if (movable_.empty()) return start;
    double total = 0;
    for (const double cost : cost_) total += cost;
    const double mean = total / static_cast<double>(graph_.ranks());
    temperature_ = cooling.from * mean;
    const double factor =
        std::pow(cooling.to / cooling.from, 1 / static_cast<double>(cooling.tests_per_rank));
    for (std::uint64_t round = 0; round < cooling.tests_per_rank && !is_spent_; ++round) {
      for (std::size_t i = 0; i < movable_.size() && !is_spent_; ++i) test();
      temperature_ *= factor;
    }
    // Cut by the work, more of it might lead to something worse than what is reached now.
    const bool counts = budget_ == nullptr || budget_->stopped() != Stopped::work;
    return change_ < 0 && counts ? seats_.take() : start;
  }

 private:
  using Place = typename Places::Place;
  struct Pair {
    double weight;
    std::uint32_t partner;
  };

  void test() {
    if (budget_ != nullptr && !budget_->spend()) {
      is_spent_ = true;
      return;
    }
    const auto step = propose();
    if (!step) return;
    const double most = temperature_ * patience_[rng_.next() % patience_.size()];
    if (step->partner == Seats::none) {
      try_move(step->rank, step->to, most);
    } else {
      try_swap(step->rank, Rank(step->partner), most);
    }
  }

  /// A rank goes to a slot, from which the partner comes here.
  struct Proposed {
    Rank rank;
    Slot to;
    std::uint32_t partner;  ///< Seats::none: a move
  };

  /// Beside a partner it gains most, beside its own slot it disturbs least.
  std::optional<Proposed> propose() {
    const std::uint64_t random = rng_.next();
    const Rank r =
        movable_[QuickRng::scaled(random >> 32, static_cast<std::uint32_t>(movable_.size()))];
    const Slot here = seats_.slot(r);
    const bool to_partner = (random & 1) != 0;
    const Slot there = to_partner ? proposals_.near(seats_.slot(some_partner(r)), rng_)
                       : leaves_brothers_ ? proposals_.beside(here, rng_)
                                          : proposals_.near(here, rng_);
    if (there == here) return std::nullopt;
    const std::uint32_t partner = seats_.rank_to_displace(there, rng_);
    if (partner == Seats::none ? least_ > 0 && seats_.count(here) <= least_ : pinned_[partner]) {
      return std::nullopt;
    }
    return Proposed{r, there, partner};
  }

  std::span<const Pair> pairs(Rank r) const {
    const std::uint64_t first = graph_.offsets()[r.value];
    return {pairs_.data() + first, pairs_.data() + graph_.offsets()[r.value + std::size_t{1}]};
  }

  /// The heavier of two.
  Rank some_partner(Rank r) {
    const auto all = pairs(r);
    const auto count = static_cast<std::uint32_t>(all.size());
    const std::uint64_t random = rng_.next();
    const Pair& a = all[QuickRng::scaled(random >> 32, count)];
    const Pair& b = all[QuickRng::scaled(random & 0xffffffff, count)];
    return Rank(a.weight >= b.weight ? a.partner : b.partner);
  }

  double cost_at(Rank r, const Place& place) const {
    const auto from = places_.from(place);
    double cost = 0;
    for (const Pair& pair : pairs(r)) {
      cost += pair.weight * static_cast<double>(from(place_[pair.partner]));
    }
    return cost;
  }

  void try_move(Rank r, Slot to, double most) {
    const Place there = places_.place(to);
    const double delta = cost_at(r, there) - cost_[r.value];
    if (delta > most) return;
    change_ += delta;
    seats_.move(r, to);
    settle(r, there);
  }

  void try_swap(Rank a, Rank b, double most) {
    const Place at_a = place_[a.value];
    const Place at_b = place_[b.value];
    // Either finds the other at its new place.
    place_[b.value] = at_a;
    double delta = cost_at(a, at_b) - cost_[a.value] - cost_[b.value];
    if (delta <= most) {  // else whatever b may gain is not enough
      place_[a.value] = at_b;
      delta += cost_at(b, at_a);
      place_[a.value] = at_a;
    }
    place_[b.value] = at_b;
    if (delta > most) return;
    change_ += delta;
    seats_.swap(a, b);
    settle(a, at_b);
    settle(b, at_a);
  }

  /// r is at a new place: what it and its partners cost.
  void settle(Rank r, const Place& place) {
    const auto before = places_.from(place_[r.value]);
    const auto after = places_.from(place);
    place_[r.value] = place;
    double cost = 0;
    for (const Pair& pair : pairs(r)) {
      const double now = pair.weight * static_cast<double>(after(place_[pair.partner]));
      cost_[pair.partner] += now - pair.weight * static_cast<double>(before(place_[pair.partner]));
      cost += now;
    }
    cost_[r.value] = cost;
  }

  const TrafficGraph& graph_;
  const std::uint32_t least_;
  Budget* const budget_;
  Places places_;
  SlotProposals proposals_;
  QuickRng rng_;
  const bool leaves_brothers_;  // all slots below a parent are alike
  Seats seats_;
  std::vector<Pair> pairs_;  // as graph_.all_neighbours()
  std::vector<bool> pinned_;
  std::vector<double> patience_;
  std::vector<Rank> movable_;
  std::vector<Place> place_;  // by rank
  std::vector<double> cost_;  // by rank: of all its pairs
  double temperature_ = 0;
  double change_ = 0;  // of all costs together, since the start
  bool is_spent_ = false;
};

}  // namespace

Mapping anneal(const MapTask& problem, Mapping mapping, const Cooling& cooling, std::uint64_t seed,
               Budget* budget) {
  const NetworkMachine* network = problem.machine.as_network();
  const double lookups = static_cast<double>(cooling.tests_per_rank) *
                         static_cast<double>(problem.graph.all_neighbours().size());
  if (SlotTablePlaces::suit(problem.machine, lookups)) {
    return Annealer(problem, std::move(mapping),
                    SlotTablePlaces(problem.machine, problem.options.objective), seed, budget)
        .run(cooling);
  }
  if (network != nullptr && GridOffsets::suit(*network)) {
    return Annealer(problem, std::move(mapping), GridOffsets(*network), seed, budget).run(cooling);
  }
  if (network != nullptr && GridPlaces::suit(*network)) {
    return Annealer(problem, std::move(mapping), GridPlaces(*network), seed, budget).run(cooling);
  }
  if (network != nullptr && TablePlaces::suit(*network, lookups)) {
    return Annealer(problem, std::move(mapping), TablePlaces(*network, problem.options.objective),
                    seed, budget)
        .run(cooling);
  }
  return with_distance(problem.machine, problem.options.objective, [&](const auto& distance) {
    using Distance = std::decay_t<decltype(distance)>;
    using Places = std::conditional_t<std::is_same_v<Distance, TreeDistance>, TreePlaces,
                                      SlotPlaces<Distance>>;
    return Annealer(problem, std::move(mapping), Places(distance), seed, budget).run(cooling);
  });
}

}  // namespace kith
