#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/plain_text.hpp"
#include "kith/detail/lower_bound.hpp"
#include "kith/detail/reorder.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "mapping/remap/remap.hpp"
#include "mapping/search/search.hpp"
#include "mapping/value.hpp"
#include "objective/network_time.hpp"

namespace kith {
namespace {

/// Both in the objective's unit: bytes x distance (hops, or costs of the machine). Holds references
/// to its arguments.
class StateCost {
 public:
  StateCost(const Machine& machine, const Mapping& present, const ReorderOptions& options)
      : machine_(machine), present_(present), options_(options) {}

  /// Whether moving costs anything.
  bool counts() const { return options_.has_state && options_.state_bytes > 0; }
  /// Of moving every rank's data from where it is to where `order` has it.
  double of_moving_to(const Mapping& order) const {
    return options_.state_bytes * distance_to(order) / scale();
  }
  /// What an order with these metrics saves, compared with the present one.
  double saving(const Metrics& before, const Metrics& after) const;
  /// MapOptions::move_cost for a search whose ranks move about as far as in `order`, in which some
  /// do.
  std::uint64_t move_cost_like(const Mapping& order) const;

 private:
  double distance_to(const Mapping& order) const;  ///< of all ranks together, in exact units
  double scale() const;                            ///< exact units in one of the objective

  const Machine& machine_;
  const Mapping& present_;
  const ReorderOptions& options_;
};

double StateCost::saving(const Metrics& before, const Metrics& after) const {
  const Objective objective = options_.map.objective;
  const double saved = static_cast<double>(before.objective(objective)) -
                       static_cast<double>(after.objective(objective));
  return options_.remaining * saved / scale();
}

std::uint64_t StateCost::move_cost_like(const Mapping& order) const {
  // Enough to keep every rank where it is; sums of it stay within 128 bits.
  constexpr double most = 0x1p62;
  const double moved = static_cast<double>(moved_ranks(present_, order));
  const double of_one = options_.state_bytes * distance_to(order) / moved;
  if (!(of_one < most * options_.remaining)) return static_cast<std::uint64_t>(most);
  return static_cast<std::uint64_t>(of_one / options_.remaining);
}

double StateCost::distance_to(const Mapping& order) const {
  double sum = 0;
  for (std::uint32_t r = 0; r < present_.ranks(); ++r) {
    const Slot from = present_[Rank(r)];
    const Slot to = order[Rank(r)];
    if (from == to) continue;
    sum += static_cast<double>(options_.map.objective == Objective::hop_bytes
                                   ? machine_.hops(from, to)
                                   : machine_.cost(from, to));
  }
  return sum;
}

double StateCost::scale() const {
  return options_.map.objective == Objective::hop_bytes
             ? 1
             : static_cast<double>(machine_.cost_scale());
}

/// `machine` with as many slots as ranks: those that hold a process.
std::unique_ptr<Machine> slots_in_use(const Machine& machine, std::uint32_t ranks) {
  const SlotSet& allowed = machine.allowed();
  if (ranks == 0 || allowed.size() <= ranks) return machine.restricted_to(allowed);
  std::vector<Slot> first;
  for (std::uint32_t i = 0; i < ranks; ++i) first.push_back(allowed.at(i));
  return machine.restricted_to(SlotSet::of(std::move(first)));
}

double ratio(std::uint64_t after, std::uint64_t before) {
  return before == 0 ? 1 : static_cast<double>(after) / static_cast<double>(before);
}

std::string percent(double fraction) {
  return fmt::format("{:.3g}%", 100 * fraction);
}

/// What an order saves: by the goal and, where that is no sum over pairs, by the sum that decides
/// between equals.
struct Savings {
  double by_goal = 0;  ///< shares
  double by_sum = 0;
  bool is_of_wall = false;  ///< by_goal is a share of the run's wall time

  /// What is compared with KITH_MIN_GAIN. Less by the sum alone counts where the goal is not worse;
  /// a goal that is bought with more of the sum than it saves does not, unless seconds are known.
  double most() const {
    if (by_goal < 0 || (!is_of_wall && by_sum < -by_goal)) return 0;
    return std::max(by_goal, by_sum);
  }
};

Savings shares_saved(const Goal& goal, Objective tie, const Metrics& before, const Metrics& after) {
  return {1 - ratio(goal_units(goal, after, before), goal_units(goal, before, before)),
          1 - ratio(after.objective(tie), before.objective(tie))};
}

Savings savings_of(const Goal& goal, Objective tie, const Machine& machine, const Metrics& before,
                   const Metrics& after, const std::optional<double>& wall_seconds) {
  Savings savings = shares_saved(goal, tie, before, after);
  const bool is_network_time = goal.is_only(Criterion::network_time);
  const double wall = wall_seconds.value_or(0);
  if (savings.by_goal >= 0 && is_network_time && wall > 0 && LinkTimes(machine).is_measured()) {
    savings.by_goal = (before.network_time.value() - after.network_time.value()) / wall;
    savings.by_sum = 0;  // the clock does not follow it
    savings.is_of_wall = true;
  }
  return savings;
}

Savings savings_of(const ReorderDecision& decision, const Machine& machine,
                   const ReorderOptions& options) {
  return savings_of(decision.goal, options.map.objective, machine, decision.before, decision.after,
                    options.wall_seconds);
}

CountedGain as_gain(const Savings& savings, const std::optional<double>& wall_seconds) {
  return {savings.most(), savings.is_of_wall ? wall_seconds : std::nullopt};
}

/// "4.1 MiB between hosts instead of 8 MiB (48% less)", or where weights are no bytes that were
/// sent, "48% less between hosts". Empty where no less leaves a host.
std::string between_hosts(const Machine& machine, const ReorderDecision& decision, bool is_sent) {
  if (machine.nodes() < 2 || decision.before.level_bytes.empty()) return "";
  const TreeMachine* const tree = machine.as_tree();
  const std::size_t levels = tree == nullptr ? 1 : std::max(tree->node_level(), 1U);
  const auto far = [&](const Metrics& metrics) {
    const auto begin = metrics.level_bytes.begin();
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(levels), std::uint64_t{0});
  };
  const std::uint64_t before = far(decision.before);
  const std::uint64_t after = far(decision.after);
  if (after >= before) return "";
  const std::string less = short_percent(1 - ratio(after, before)) + " less";
  if (!is_sent) return (after == 0 ? "nothing" : less) + std::string(" between hosts");
  if (after == 0) return fmt::format("nothing between hosts instead of {}", short_bytes(before));
  return fmt::format("{} between hosts instead of {} ({})", short_bytes(after), short_bytes(before),
                     less);
}

/// How far the present order is above the lower bound, as far as that is known soon; 0: it is
/// optimal. A bound that is far off says nothing of the order.
std::optional<double> gap_of_present(const TrafficGraph& graph, const Machine& held,
                                     const MapOptions& options, std::uint64_t present) {
  const MapTask task{graph, held, options, nullptr};
  if (lower_bound_seconds(graph) > seconds_of(options.effort, task)) {
    return std::nullopt;
  }
  const auto bound = objective_lower_bound(graph, held, options.objective, options.capacity);
  if (!bound || bound->value.units == 0) return std::nullopt;
  if (bound->value.units == present) return 0;
  const double above = ratio(present, bound->value.units) - 1;
  return above > telling_gap ? std::nullopt : std::optional(above);
}

/// "; the present order is at most 4.2% above the optimum"; empty where that is not known.
std::string room_left(const std::optional<double>& gap) {
  if (!gap) return "";
  if (*gap == 0) return "; the present order is optimal";
  return fmt::format("; the present order is at most {:.3g}% above the optimum", 100 * *gap);
}

/// What the mapper says of its answer, in one line.
std::string account_of(const MapResult& result) {
  return fmt::format("{}", fmt::join(result.explanation, "; "));
}

std::string why_not(const MapResult& result) {
  // Whoever asks why has been told what stays.
  const std::string& because = result.start_stays_because;
  const std::string account = because.empty() ? account_of(result) : because;
  return account.empty() ? "" : ": " + account;
}

/// What the saving is a share of.
std::string wall_words(double seconds) {
  return fmt::format(" of the recorded run of {:.2g} s", seconds);
}

/// What the order saves, in bytes where they are known.
std::string gain_text(const Machine& machine, const ReorderDecision& decision,
                      const Savings& savings, bool is_sent) {
  // Weights that a program declares are no bytes.
  std::string text = is_sent && decision.goal.has(Criterion::network_time)
                         ? network_gain_text(decision.before, decision.after, machine)
                         : "";
  if (text.empty()) text = between_hosts(machine, decision, is_sent);
  if (!text.empty()) return text;
  const bool by_goal = savings.by_goal > 0 && !savings.is_of_wall;
  return fmt::format("{} {} less than in the present order",
                     by_goal ? decision.goal.name() : "bytes x distance",
                     short_percent(by_goal ? savings.by_goal : savings.by_sum));
}

std::string what_changes(const Mapping& present, const Machine& machine,
                         const ReorderDecision& decision, const Savings& savings, bool is_sent) {
  std::string text =
      fmt::format("{}; {} of {} ranks move", gain_text(machine, decision, savings, is_sent),
                  decision.moved, present.ranks());
  if (decision.moving_cost > 0) {
    text += fmt::format(" at {:.3g} of what is saved", decision.moving_cost / decision.saving);
  }
  return text;
}

MapResult search(const ReorderOptions& options, const MapProblem& problem) {
  if (!options.keep_local) return map_ranks(options.algorithm, problem);
  return map_keeping_local_indices(problem, options.local_indices.empty()
                                                ? local_indices(problem.machine)
                                                : options.local_indices);
}

/// What the ranks send each other, and the wire carries.
struct JobTraffic {
  const TrafficMatrix& matrix;
  const TrafficGraph& graph;
  const TrafficMatrix* wire;

  Metrics evaluate(const Machine& machine, const Mapping& mapping) const {
    return kith::evaluate(matrix, graph, machine, mapping, wire);
  }
};

/// The mapper's answer; where moving costs, the one of some that gains most on balance.
MapResult best_result(const JobTraffic& traffic, const Machine& held, const ReorderOptions& options,
                      MapOptions map_options, const Mapping& present) {
  const MapProblem problem{traffic.graph, held, map_options, &traffic.matrix, traffic.wire};
  MapResult best = search(options, problem);
  const StateCost state(held, present, options);
  if (!state.counts() || options.keep_local) return best;
  const auto value = [&](const Mapping& mapping) { return traffic.evaluate(held, mapping); };
  const Metrics before = value(present);
  const auto balance = [&](const Mapping& mapping) {
    return state.saving(before, value(mapping)) - state.of_moving_to(mapping);
  };
  // Every move is taken to lead as far as those of the last answer did on average.
  constexpr int tries = 2;
  Mapping last = best.mapping;
  for (int i = 0; i < tries && moved_ranks(present, last) > 0; ++i) {
    map_options.move_cost = state.move_cost_like(last);
    MapResult result = search(options, problem);
    last = result.mapping;
    const bool is_better = moved_ranks(present, last) > 0 && balance(last) > balance(best.mapping);
    result.seconds += best.seconds;
    best.seconds = result.seconds;
    if (is_better) best = std::move(result);
  }
  return best;
}

/// Turns the mapping so that more ranks stay where they are, where that costs nothing: symmetries
/// keep the distances, but links of one kind may differ in speed. Programs of one job that may not
/// change places stay whole more often.
void move_fewer(const JobTraffic& traffic, const Machine& machine, MapOptions options,
                const Mapping& present, Mapping& found, ReorderDecision& decision) {
  options.from = present;
  Mapping turned = align({traffic.graph, machine, options}, found);
  if (moved_ranks(present, turned) >= moved_ranks(present, found)) return;
  const Metrics after = traffic.evaluate(machine, turned);
  const auto units = [&](const Metrics& metrics) {
    return goal_units(decision.goal, metrics, decision.before);
  };
  if (units(after) > units(decision.after)) return;
  found = std::move(turned);
  decision.after = after;
}

/// decide_reorder() of ranks that are on the first allowed slots in turn.
ReorderDecision decide_from_identity(const TrafficMatrix& matrix, const TrafficMatrix* wire,
                                     const Machine& machine, const ReorderOptions& options) {
  const TrafficGraph graph = TrafficGraph::from(matrix);
  const JobTraffic traffic{matrix, graph, wire};
  const Mapping present = identity_mapping(graph.ranks(), machine, 1);
  ReorderDecision decision;
  decision.mapping = present;
  decision.goal = goal_of(options.map);
  decision.algorithm = options.algorithm.name();
  decision.before = traffic.evaluate(machine, present);
  decision.after = decision.before;
  const std::uint64_t before = goal_units(decision.goal, decision.before, decision.before);
  if (before == 0) {
    decision.reason = "nothing to gain: no pair of ranks has any traffic";
    return decision;
  }

  const auto held = slots_in_use(machine, graph.ranks());
  MapOptions map_options = options.map;
  map_options.capacity = 1;
  // Where moving is free and the goal has ties, the sum over pairs settles them, not the moves.
  if (options.has_state && (options.state_bytes > 0 || !map_options.goal)) {
    map_options.from = present;
  }
  if (options.keep_rank0) map_options.fixed.push_back({Rank(0), present[Rank(0)]});
  MapResult result = best_result(traffic, *held, options, map_options, present);
  decision.after = traffic.evaluate(machine, result.mapping);
  // With state, moves count beside the goal.
  decision.is_optimal = result.is_optimal && !options.has_state && !options.keep_local;
  if (map_options.goal && savings_of(decision, machine, options).most() < options.min_gain) {
    // The sum alone may gain where the goal does not, or not enough.
    map_options.goal.reset();
    MapResult by_sum = best_result(traffic, *held, options, map_options, present);
    ReorderDecision other = decision;
    other.after = traffic.evaluate(machine, by_sum.mapping);
    by_sum.seconds += result.seconds;
    if (savings_of(other, machine, options).most() >= options.min_gain) {
      result = std::move(by_sum);
      decision.after = other.after;
      decision.is_optimal = false;
    }
  }
  if (!options.has_state && !options.keep_local) {
    move_fewer(traffic, *held, map_options, present, result.mapping, decision);
  }
  decision.algorithm = result.algorithm;
  decision.account = account_of(result);
  const StateCost state(machine, present, options);
  decision.moved = static_cast<std::uint32_t>(moved_ranks(present, result.mapping));
  decision.moving_cost = state.counts() ? state.of_moving_to(result.mapping) : 0;
  decision.saving = state.saving(decision.before, decision.after);
  const Savings savings = savings_of(decision, machine, options);
  const double saved = savings.most();
  decision.gain = as_gain(savings, options.wall_seconds);
  const std::string made =
      fmt::format("algorithm {}, {:.2g} s", decision.algorithm, result.seconds);
  // In the unit of `before`, even where the sum alone was tried after the goal.
  const auto room = [&]() -> std::optional<double> {
    if (options.map.goal) return std::nullopt;
    return gap_of_present(graph, *held, map_options, before);
  };
  if (saved <= 0) {
    const auto gap = room();
    const bool is_best = gap == 0.0 || decision.is_optimal;  // then nothing else needs saying
    const bool is_bound = options.keep_rank0 && gap != 0.0;
    const char* const best_words =
        is_bound ? ", which is optimal with rank 0 in its place" : ", which is optimal";
    decision.reason = fmt::format(
        "no better order found than the present one{} (algorithm {}, {:.2g} s){}{}",
        is_best ? best_words : "", options.keep_local ? result.algorithm : options.algorithm.name(),
        result.seconds, is_best ? "" : why_not(result), is_best ? "" : room_left(gap));
  } else if (saved < options.min_gain) {
    decision.reason =
        fmt::format("the best order found saves {}{}, less than KITH_MIN_GAIN={} ({}){}{}",
                    percent(saved), savings.is_of_wall ? wall_words(*options.wall_seconds) : "",
                    percent(options.min_gain), made, why_not(result), room_left(room()));
  } else if (state.counts() && !(decision.saving > decision.moving_cost)) {
    decision.reason = fmt::format(
        "the rest of the run ({:.3g} x this traffic) would save {:.3g} {}; moving the data of "
        "{} ranks costs more, {:.3g} ({})",
        options.remaining, decision.saving, decision.goal.name(), decision.moved,
        decision.moving_cost, made);
  } else {
    decision.apply = true;
    decision.reason =
        fmt::format("{}{} ({})", what_changes(present, machine, decision, savings, wire != nullptr),
                    options.keep_local ? "; " + decision.account : "", made);
    decision.mapping = std::move(result.mapping);
  }
  return decision;
}

/// Ranks numbered by their present slots, ascending: what the search takes for the present order.
class Turned {
 public:
  /// Throws Error (input) unless each rank has an allowed slot of its own.
  Turned(const Machine& machine, const Mapping& present) : slots_(present.slot_of) {
    std::ranges::sort(slots_);
    const bool is_twice = std::ranges::adjacent_find(slots_) != slots_.end();
    const auto is_allowed = [&](Slot slot) { return machine.allowed().contains(slot); };
    if (is_twice || !std::ranges::all_of(slots_, is_allowed)) {
      throw bad_input("the present order", "an allowed slot for each rank", "others");
    }
    for (const Slot slot : present.slot_of) {
      const auto place = std::ranges::lower_bound(slots_, slot);
      number_.push_back(static_cast<std::uint32_t>(place - slots_.begin()));
    }
  }

  /// Whether that changes nothing, on the first allowed slots.
  bool is_identity(const Machine& machine) const {
    return std::ranges::is_sorted(number_) &&
           (slots_.empty() || machine.allowed().index_of(slots_.back()) + 1 == slots_.size());
  }
  SlotSet slots() const { return SlotSet::of(slots_); }

  TrafficMatrix turned(const TrafficMatrix& matrix) const {
    TrafficMatrixBuilder builder(matrix.ranks(), matrix.entries());
    for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
      const auto destinations = matrix.destinations(Rank(i));
      const auto weights = matrix.weights(Rank(i));
      for (std::size_t k = 0; k < destinations.size(); ++k) {
        builder.add(number(Rank(i)), number(destinations[k]), weights[k]);
      }
    }
    return builder.build();
  }
  ReorderOptions turned(ReorderOptions options) const {
    if (options.keep_rank0 && !number_.empty()) {
      options.map.fixed.push_back({Rank(0), slots_[number_[0]]});
    }
    options.keep_rank0 = false;
    for (FixedRank& fixed : options.map.fixed) fixed.rank = number(fixed.rank);
    turn(options.map.loads, 1);
    if (auto& places = options.map.coordinates) turn(places->values, places->dimensions);
    if (auto& from = options.map.from) turn(from->slot_of, 1);
    return options;
  }
  /// From an order of the numbers to one of the ranks.
  Mapping back(const Mapping& mapping) const {
    Mapping result;
    for (const std::uint32_t number : number_) result.slot_of.push_back(mapping[Rank(number)]);
    return result;
  }

 private:
  Rank number(Rank rank) const { return Rank(number_.at(rank.value)); }
  /// `width` values for each rank.
  template <class Value>
  void turn(std::vector<Value>& values, std::size_t width) const {
    if (values.size() != number_.size() * width) return;  // the mapper says so
    const std::vector<Value> before = values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[number_[i / width] * width + i % width] = before[i];
    }
  }

  std::vector<Slot> slots_;            // ascending
  std::vector<std::uint32_t> number_;  // by rank
};

}  // namespace

CountedGain counted_gain(const Goal& goal, Objective tie, const Machine& machine,
                         const Metrics& before, const Metrics& after,
                         const std::optional<double>& wall_seconds) {
  const Savings savings = savings_of(goal, tie, machine, before, after, wall_seconds);
  return as_gain(savings, wall_seconds);
}

ReorderDecision decide_reorder(const TrafficMatrix& matrix, const Machine& machine,
                               const ReorderOptions& options, const Mapping* present,
                               const TrafficMatrix* wire) {
  if (present == nullptr) return decide_from_identity(matrix, wire, machine, options);
  if (present->ranks() != matrix.ranks()) {
    throw bad_input("the present order", fmt::format("{} ranks", matrix.ranks()),
                    fmt::format("{}", present->ranks()));
  }
  const Turned turned(machine, *present);
  if (turned.is_identity(machine)) return decide_from_identity(matrix, wire, machine, options);
  std::optional<TrafficMatrix> turned_wire;
  if (wire != nullptr) turned_wire = turned.turned(*wire);
  ReorderDecision decision =
      decide_from_identity(turned.turned(matrix), turned_wire ? &*turned_wire : nullptr,
                           *machine.restricted_to(turned.slots()), turned.turned(options));
  decision.mapping = turned.back(decision.mapping);
  return decision;
}

}  // namespace kith
