#include "mapping/published/topolb/topolb.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "mapping/budget.hpp"
#include "mapping/published/topolb/grid_slots.hpp"
#include "mapping/published/topolb/rows.hpp"
#include "mapping/published/topolb/slot_columns.hpp"

namespace kith::topolb {
namespace {

/// Tasks without a placed neighbour: they differ only in how much they communicate, so that of all
/// of them one need be looked at.
class UntouchedTasks {
 public:
  explicit UntouchedTasks(const std::vector<Weight>& traffic)
      : by_traffic_(traffic.size()), untouched_(traffic.size(), true) {
    std::iota(by_traffic_.begin(), by_traffic_.end(), 0U);
    std::ranges::stable_sort(by_traffic_, std::greater{},
                             [&](std::uint32_t t) { return traffic[t]; });
  }

  void remove(std::uint32_t task) { untouched_[task] = false; }

  std::optional<std::uint32_t> with_most_traffic() {
    while (most_ < by_traffic_.size() && !untouched_[by_traffic_[most_]]) ++most_;
    if (most_ == by_traffic_.size()) return std::nullopt;
    return by_traffic_[most_];
  }

  std::optional<std::uint32_t> lowest() {
    while (lowest_ < untouched_.size() && !untouched_[lowest_]) ++lowest_;
    if (lowest_ == untouched_.size()) return std::nullopt;
    return lowest_;
  }

 private:
  std::vector<std::uint32_t> by_traffic_;  // then by index
  std::vector<bool> untouched_;
  std::size_t most_ = 0;
  std::uint32_t lowest_ = 0;
};

std::vector<Weight> traffic_of_tasks(const TrafficGraph& tasks) {
  std::vector<Weight> traffic;
  for (Rank t(0); t.value < tasks.ranks(); ++t) {
    const auto weights = tasks.weights(t);
    traffic.push_back(std::accumulate(weights.begin(), weights.end(), Weight{0}));
  }
  return traffic;
}

/// All of f_est and of the gains is multiplied by the number of slots that the order averages over:
/// integers, of which equal ones are equal. `Value` holds f_est, `Slots` is SlotColumns or
/// GridSlots.
template <class Value, class Slots>
class Placement {
 public:
  Placement(const TrafficGraph& tasks, const MapTask& problem, Estimation estimation, Slots slots,
            std::vector<std::uint64_t> distance_sums)
      : tasks_(tasks),
        problem_(problem),
        estimation_(estimation),
        slots_(std::move(slots)),
        scale_(estimation.order == Order::second ? slots_.free_slots() : 1),
        unplaced_traffic_(traffic_of_tasks(tasks)),
        untouched_(unplaced_traffic_),
        rows_(tasks.ranks()),
        slot_of_(tasks.ranks(), no_slot) {
    expected_.costs = std::move(distance_sums);
    if (estimation.order == Order::first) expected_.costs.assign(slots_.entries(), 0);
    expected_.refresh(slots_);
  }

  std::vector<Slot> run() {
    for (std::uint32_t k = 0; k < tasks_.ranks(); ++k) {
      if (problem_.budget != nullptr && problem_.budget->exhausted()) {
        place_rest_in_order();
        break;
      }
      if (rows_.effort() > estimation_.most_effort) return {};
      const std::uint32_t task = choose();
      place(task, cheapest_slot(task));
    }
    return std::move(slot_of_);
  }

 private:
  struct Choice {
    Wide gain;
    std::uint32_t task;
    bool worse_than(Wide other_gain, std::uint32_t other_task) const {
      return gain < other_gain || (gain == other_gain && task > other_task);
    }
  };

  std::uint32_t divisor() const {
    return slots_.free_slots() - (estimation_.printed_divisor ? 1 : 0);
  }

  std::uint32_t choose() {
    const Choice untouched = choose_untouched();
    return estimation_.order == Order::third ? choose_among_moving(untouched)
                                             : choose_among_rows(untouched);
  }

  /// Without placed neighbours the estimate is the task's traffic times the expected distance.
  Choice choose_untouched() {
    const Wide gain = expected_.sum - Wide{divisor()} * expected_.cheapest.cost;
    const auto task = gain == 0 ? untouched_.lowest() : untouched_.with_most_traffic();
    if (!task) return {0, UINT32_MAX};
    return {gain * unplaced_traffic_[*task], *task};
  }

  std::uint32_t choose_among_rows(Choice best) {
    for (const std::uint32_t task : rows_.tasks()) {
      const Row<Value>& row = rows_.of(task);
      const auto gain = [&] { return row.sum - Wide{divisor()} * row.cheapest.cost; };
      if (!best.worse_than(gain(), task)) continue;
      rows_.find_cheapest(task, slots_);  // that may cost more, and gain less
      if (best.worse_than(gain(), task)) best = {gain(), task};
    }
    return best.task;
  }

  /// Third order: all estimates change in each cycle, and are worked out where they might win. Rows
  /// hold the cost against placed tasks.
  std::uint32_t choose_among_moving(Choice best) {
    const Wide slots = slots_.free_slots();
    for (const std::uint32_t task : rows_.tasks()) {
      const Row<Value>& row = rows_.of(task);
      const Wide traffic = unplaced_traffic_[task];
      const Wide sum = slots * row.sum + traffic * expected_.sum;
      const Wide least_possible = slots * row.cheapest.cost + traffic * expected_.cheapest.cost;
      if (!best.worse_than(sum - divisor() * least_possible, task)) continue;
      const Wide gain = sum - Wide{divisor()} * slots_.cheapest(moving_estimates(task)).cost;
      if (best.worse_than(gain, task)) best = {gain, task};
    }
    return best.task;
  }

  const std::vector<Value>& moving_estimates(std::uint32_t task) {
    const auto slots = static_cast<Value>(slots_.free_slots());
    const auto traffic = static_cast<Value>(unplaced_traffic_[task]);
    const std::vector<Value>& costs = rows_.of(task).costs;
    estimates_.resize(costs.size());
    for (std::size_t e = 0; e < costs.size(); ++e) {
      estimates_[e] = slots * costs[e] + traffic * static_cast<Value>(expected_.costs[e]);
    }
    return estimates_;
  }

  /// The lowest slot where the estimate of a task is least.
  std::uint32_t cheapest_slot(std::uint32_t task) {
    if (!rows_.has(task)) {
      return unplaced_traffic_[task] == 0 ? lowest_free() : slots_.cheapest(expected_.costs).slot;
    }
    const bool moving = estimation_.order == Order::third;
    return slots_.cheapest(moving ? moving_estimates(task) : rows_.of(task).costs).slot;
  }

  std::uint32_t lowest_free() {
    while (!slots_.is_free(lowest_free_)) ++lowest_free_;
    return lowest_free_;
  }

  void place(std::uint32_t task, std::uint32_t slot) {
    slot_of_[task] = slots_.slot(slot);
    untouched_.remove(task);
    rows_.remove(task);
    rows_.lose(slot, slots_);
    expected_.lose(slot, slots_);
    slots_.take(slot);
    if (slots_.free_slots() == 0) return;
    look_from(slot);
    touch_neighbours(Rank(task));
  }

  /// What each unit of traffic with a task that is now on `slot` changes in the estimates.
  void look_from(std::uint32_t slot) {
    slots_.distances_from(slot, distances_);
    if (estimation_.order == Order::third) {
      for (std::size_t e = 0; e < distances_.size(); ++e) expected_.costs[e] -= distances_[e];
      expected_.refresh(slots_);
    } else if (expected_.is_taken) {
      expected_.find_cheapest(slots_);
    }
    change_.resize(distances_.size());
    for (std::size_t e = 0; e < change_.size(); ++e) {
      change_[e] = static_cast<Value>(scale_) * static_cast<Value>(distances_[e]);
      if (rows_expect()) change_[e] -= static_cast<Value>(expected_.costs[e]);
    }
    change_sum_ = Wide{scale_} * sum_over_free(distances_, slots_);
    if (rows_expect()) change_sum_ -= expected_.sum;
  }

  void touch_neighbours(Rank task) {
    const auto neighbours = tasks_.neighbours(task);
    const auto weights = tasks_.weights(task);
    add_rows(neighbours, weights);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t neighbour = neighbours[i].value;
      if (!rows_.has(neighbour)) continue;
      unplaced_traffic_[neighbour] -= weights[i];
      rows_.change(neighbour, weights[i], change_, change_sum_, slots_);
    }
  }

  /// To all neighbours that have none and need one: as if nothing were placed yet.
  void add_rows(std::span<const Rank> neighbours, std::span<const Weight> weights) {
    new_rows_.clear();
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t neighbour = neighbours[i].value;
      const bool unplaced = slot_of_[neighbour] == no_slot;
      if (unplaced && weights[i] > 0 && !rows_.has(neighbour)) new_rows_.push_back(neighbour);
    }
    rows_.require_room_for(new_rows_.size(), slots_.entries(), estimation_.algorithm);
    for (const std::uint32_t neighbour : new_rows_) {
      untouched_.remove(neighbour);
      const Weight traffic = rows_expect() ? unplaced_traffic_[neighbour] : 0;
      std::vector<Value> costs(slots_.entries());
      for (std::size_t e = 0; traffic > 0 && e < costs.size(); ++e) {
        costs[e] = static_cast<Value>(traffic) * static_cast<Value>(expected_.costs[e]);
      }
      rows_.add(neighbour, std::move(costs), traffic * expected_.sum);
    }
  }

  /// True where rows hold what unplaced neighbours are expected to cost.
  bool rows_expect() const { return estimation_.order == Order::second; }

  void place_rest_in_order() {
    for (Slot& slot : slot_of_) {
      if (slot != no_slot) continue;
      const std::uint32_t lowest = lowest_free();
      slot = slots_.slot(lowest);
      slots_.take(lowest);
    }
  }

  const TrafficGraph& tasks_;
  const MapTask problem_;
  Estimation estimation_;
  Slots slots_;
  std::uint64_t scale_;
  std::vector<Weight> unplaced_traffic_;  // of each task, with tasks that are not placed
  UntouchedTasks untouched_;
  Row<std::uint64_t> expected_;  // from each free slot, the sum of distances to be averaged
  Rows<Value> rows_;
  std::vector<Slot> slot_of_;
  std::uint32_t lowest_free_ = 0;
  std::vector<std::uint64_t> distances_;  // from the slot taken last
  std::vector<Value> change_;
  Wide change_sum_ = 0;  // over the free slots
  std::vector<Value> estimates_;
  std::vector<std::uint32_t> new_rows_;  // tasks
};

/// f_est is nowhere larger. Throws where gains might exceed 128 bits.
Wide largest_estimate(const TrafficGraph& tasks, std::uint64_t slots, std::uint64_t longest,
                      std::string_view algorithm) {
  const auto traffic = traffic_of_tasks(tasks);
  const Weight most = traffic.empty() ? 0 : std::ranges::max(traffic);
  Wide bound = 1;
  for (const std::uint64_t factor : {most, slots, longest, slots}) {
    if (factor == 0) continue;
    if (bound > ~Wide{0} / factor) {
      throw bad_argument(
          "algorithm",
          "for " + std::string(algorithm) + " weights and distances whose estimates fit 128 bits",
          std::to_string(most) + " bytes at a rank");
    }
    bound *= factor;
  }
  return bound / std::max<std::uint64_t>(slots, 1);
}

template <class Slots>
std::vector<Slot> place_on(Slots slots, const TrafficGraph& tasks, const MapTask& problem,
                           Estimation estimation) {
  DistanceSums sums = slots.distance_sums();
  const Wide largest =
      largest_estimate(tasks, slots.free_slots(), sums.longest, estimation.algorithm);
  const auto run = [&]<class Value>(Value) {
    return Placement<Value, Slots>(tasks, problem, estimation, std::move(slots), std::move(sums.of))
        .run();
  };
  if (largest <= UINT32_MAX) return run(std::uint32_t{});
  if (largest <= UINT64_MAX) return run(std::uint64_t{});
  return run(Wide{});
}

}  // namespace

std::vector<Slot> place_by_estimate(const TrafficGraph& tasks, const MapTask& problem,
                                    Estimation estimation) {
  if (tasks.ranks() == 0) return {};
  if (GridSlots::can_take(problem.machine)) {
    return place_on(GridSlots(problem.machine), tasks, problem, estimation);
  }
  return place_on(SlotColumns(problem.machine, problem.options.objective), tasks, problem,
                  estimation);
}

}  // namespace kith::topolb
