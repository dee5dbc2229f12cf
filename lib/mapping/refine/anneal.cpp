#include "mapping/refine/refine.hpp"

#include <algorithm>
#include <cmath>
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

/// Costs are kept in floating point: any weight times any distance fits, and below 2^53 all is
/// exact. Nothing but this search relies on them.
template <class Places>
class Annealer {
 public:
  Annealer(const MapTask& problem, Mapping mapping, Places places, std::uint64_t seed,
           Budget* budget)
      : graph_(problem.graph),
        capacity_(problem.options.capacity),
        least_(problem.options.least),
        budget_(budget),
        places_(std::move(places)),
        proposals_(problem.machine),
        rng_(seed),
        occupancy_(std::move(mapping)),
        weights_(graph_.all_weights().begin(), graph_.all_weights().end()),
        pinned_(graph_.ranks()) {
    for (const FixedRank& fixed : problem.options.fixed) pinned_[fixed.rank.value] = true;
    for (Rank r(0); r.value < graph_.ranks(); ++r) {
      place_.push_back(places_.place(occupancy_.mapping()[r]));
      if (!pinned_[r.value] && graph_.degree(r) > 0) movable_.push_back(r);
    }
    for (Rank r(0); r.value < graph_.ranks(); ++r) cost_.push_back(cost_at(r, place_[r.value]));
  }

  Mapping run(const Cooling& cooling) {
    Mapping start = occupancy_.mapping();
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
    return change_ < 0 && counts ? occupancy_.take() : start;
  }

 private:
  using Place = typename Places::Place;

  void test() {
    if (budget_ != nullptr && !budget_->spend()) {
      is_spent_ = true;
      return;
    }
    const Rank r = movable_[rng_.below(movable_.size())];
    const Slot here = occupancy_.mapping()[r];
    // Beside a partner it gains most, beside its own slot it disturbs least.
    const bool to_partner = (rng_.next() >> 63) != 0;
    const Slot around = to_partner ? occupancy_.mapping()[some_partner(r)] : here;
    const Slot there = proposals_.near(around, rng_);
    if (there == here) return;
    const double most = -temperature_ * std::log(1 - rng_.uniform());
    const std::uint32_t count = occupancy_.count(there);
    if (count < capacity_) {
      if (occupancy_.count(here) > least_) try_move(r, there, most);
    } else if (const Rank partner = one_of(there, count); !pinned_[partner.value]) {
      try_swap(r, partner, most);
    }
  }

  /// The heavier of two.
  Rank some_partner(Rank r) {
    const auto neighbours = graph_.neighbours(r);
    const auto weights = graph_.weights(r);
    const std::size_t a = rng_.below(neighbours.size());
    const std::size_t b = rng_.below(neighbours.size());
    return neighbours[weights[a] >= weights[b] ? a : b];
  }

  Rank one_of(Slot slot, std::uint32_t count) {
    std::uint32_t rank = occupancy_.first(slot);
    if (count == 1) return Rank(rank);
    for (std::uint64_t skip = rng_.below(count); skip-- > 0;) rank = occupancy_.next(rank);
    return Rank(rank);
  }

  double cost_at(Rank r, const Place& place) const {
    const auto from = places_.from(place);
    const std::uint64_t end = graph_.offsets()[r.value + std::size_t{1}];
    double cost = 0;
    for (std::uint64_t e = graph_.offsets()[r.value]; e < end; ++e) {
      cost += weights_[e] * static_cast<double>(from(place_[graph_.all_neighbours()[e].value]));
    }
    return cost;
  }

  void try_move(Rank r, Slot to, double most) {
    const Place there = places_.place(to);
    const double delta = cost_at(r, there) - cost_[r.value];
    if (delta > most) return;
    change_ += delta;
    occupancy_.move(r, to);
    settle(r, there);
  }

  void try_swap(Rank a, Rank b, double most) {
    const Place at_a = place_[a.value];
    const Place at_b = place_[b.value];
    double delta = cost_at(a, at_b) - cost_[a.value] - cost_[b.value];
    if (delta > most) return;  // whatever b may gain is not enough
    delta += cost_at(b, at_a);
    // Either counted the other as if it stayed: as far from each other as before.
    const double between = weight_between(a, b);
    if (between > 0) delta += 2 * between * static_cast<double>(places_.from(at_a)(at_b));
    if (delta > most) return;
    change_ += delta;
    occupancy_.swap(a, b);
    settle(a, at_b);
    settle(b, at_a);
  }

  double weight_between(Rank a, Rank b) const {
    const auto neighbours = graph_.neighbours(a);
    const auto found = std::ranges::lower_bound(neighbours, b);
    if (found == neighbours.end() || *found != b) return 0;
    return weights_[graph_.offsets()[a.value] +
                    static_cast<std::uint64_t>(found - neighbours.begin())];
  }

  /// r is at a new place: what it and its partners cost.
  void settle(Rank r, const Place& place) {
    const auto before = places_.from(place_[r.value]);
    const auto after = places_.from(place);
    place_[r.value] = place;
    const std::uint64_t end = graph_.offsets()[r.value + std::size_t{1}];
    double cost = 0;
    for (std::uint64_t e = graph_.offsets()[r.value]; e < end; ++e) {
      const std::uint32_t partner = graph_.all_neighbours()[e].value;
      const double now = weights_[e] * static_cast<double>(after(place_[partner]));
      cost_[partner] += now - weights_[e] * static_cast<double>(before(place_[partner]));
      cost += now;
    }
    cost_[r.value] = cost;
  }

  const TrafficGraph& graph_;
  const std::uint32_t capacity_;
  const std::uint32_t least_;
  Budget* const budget_;
  Places places_;
  SlotProposals proposals_;
  Rng rng_;
  Occupancy occupancy_;
  std::vector<double> weights_;  // as graph_.all_weights()
  std::vector<bool> pinned_;
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
  if (network != nullptr && GridPlaces::suit(*network)) {
    return Annealer(problem, std::move(mapping), GridPlaces(*network), seed, budget).run(cooling);
  }
  const double lookups = static_cast<double>(cooling.tests_per_rank) *
                         static_cast<double>(problem.graph.all_neighbours().size());
  if (network != nullptr && TablePlaces::suit(*network, lookups)) {
    return Annealer(problem, std::move(mapping), TablePlaces(*network, problem.options.objective),
                    seed, budget)
        .run(cooling);
  }
  return with_distance(problem.machine, problem.options.objective, [&](const auto& distance) {
    using Distance = std::decay_t<decltype(distance)>;
    return Annealer(problem, std::move(mapping), SlotPlaces<Distance>(distance), seed, budget)
        .run(cooling);
  });
}

}  // namespace kith
