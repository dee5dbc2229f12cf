#include "mapping/search/search_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/multilevel/multilevel.hpp"
#include "mapping/published/topolb/topolb.hpp"
#include "mapping/search/search.hpp"
#include "mapping/slot_tree.hpp"

namespace kith {
namespace {

/// By both halves of the machine, or down the tree that a dragonfly nearly is.
std::optional<Mapping> divided(const MapTask& part, std::uint64_t seed) {
  if (const auto dragonfly = DragonflyTree::of(part)) {
    const MapTask on_tree = dragonfly->problem();
    return multilevel::multisect_tree(on_tree, *on_tree.machine.as_tree(), multilevel::light_trials,
                                      seed, part.budget);
  }
  return multilevel::bisect_machine(part, multilevel::light_trials, seed, part.budget);
}

/// `tests_per_rank` 0: as it is.
Step division(const MapTask& problem, std::uint64_t seed, std::uint64_t tests_per_rank) {
  const auto propose = [=](const MapTask& part) -> std::optional<Proposal> {
    auto mapping = divided(part, seed);
    if (!mapping) return std::nullopt;
    if (tests_per_rank > 0) {
      *mapping = annealed(part, with_constraints(part, std::move(*mapping)), tests_per_rank, seed);
    }
    return Proposal{std::move(*mapping), "kith", "multilevel division"};
  };
  const double seconds = division_seconds(problem, multilevel::light_trials) +
                         annealed_seconds(problem, tests_per_rank);
  return {seconds, propose, {}};
}

std::uint64_t slots_needed(const MapTask& problem) {
  const std::uint64_t capacity = problem.options.capacity;
  return (problem.graph.ranks() + capacity - 1) / capacity;
}

/// On those slots that lie close where the machine has many more than ranks, with what
/// with_constraints() sees to left out. `place`: what TopoLB or TopoCentLB make of that.
template <class Place>
std::optional<Proposal> placed_one_by_one(const MapTask& part, const Place& place) {
  MapOptions options = part.options;
  options.fixed.clear();
  const auto close = part.machine.restricted_to(SlotSet::of(
      multilevel::close_slots(part.machine, options.objective, slots_needed(part), {})));
  try {
    auto slot_of = place(MapTask{part.graph, *close, options, part.budget});
    if (slot_of.empty()) return std::nullopt;
    return Proposal{{std::move(slot_of)}, "kith", "placed one by one"};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return std::nullopt;  // a table that would be too large
  }
}

std::vector<Slot> around_placed(const MapTask& problem) {
  return topolb::place_around_placed(problem.graph, problem, {.central_first = true});
}

/// TopoLB. Best of all starts for heavy-tailed traffic, which no division suits; but a rank that
/// talks with very many makes it take very long. Then TopoCentLB, which is as good there.
Step placing_by_estimate(const MapTask& problem) {
  constexpr double patience = 1.5;
  const std::uint64_t slots = slots_needed(problem);
  const double seconds = topolb_seconds(problem, slots) + 0.1 * topocentlb_seconds(problem, slots);
  topolb::Estimation estimation;
  estimation.most_effort = static_cast<std::uint64_t>(patience * topolb_effort(problem, slots));
  const auto propose = [=](const MapTask& part) -> std::optional<Proposal> {
    if (!pay(part, seconds)) return std::nullopt;
    return placed_one_by_one(part, [&](const MapTask& close) {
      auto slot_of = topolb::place_by_estimate(close.graph, close, estimation);
      return slot_of.empty() ? around_placed(close) : slot_of;
    });
  };
  return {seconds, propose, {}};
}

/// TopoCentLB, where TopoLB takes long anyway.
Step placing_around_placed(const MapTask& problem) {
  const double seconds = topocentlb_seconds(problem, slots_needed(problem));
  const auto propose = [=](const MapTask& part) -> std::optional<Proposal> {
    if (!pay(part, seconds)) return std::nullopt;
    return placed_one_by_one(part, around_placed);
  };
  return {seconds, propose, {}};
}

/// The cheapest first.
std::vector<Step> starts(const MapTask& problem) {
  std::vector<Step> steps;
  if (problem.options.time_limit) steps.push_back(quick_start(problem));
  steps.push_back(division(problem, problem.options.seed, 0));
  if (problem.options.capacity == 1) {  // groups of ranks would have to be made first
    steps.push_back(placing_by_estimate(problem));
    const double cheap = seconds_of(Effort::fast, problem);
    if (steps.back().seconds > cheap) steps.push_back(placing_around_placed(problem));
  }
  std::ranges::stable_sort(steps, {}, &Step::seconds);
  return steps;
}

/// As many tests, but so many more that an effort's time is used up if not even eight times as many
/// would fit into it after that, or up to four times fewer so that they fit into what it has left.
std::uint64_t filling(const MapTask& problem, std::uint64_t tests, double before) {
  constexpr double own_share = 0.85;  // the rest is for what else auto does
  for (const Effort effort : {Effort::fast, Effort::balanced, Effort::best}) {
    const double left = own_share * seconds_of(effort, problem) - before;
    const double seconds = annealing(problem, tests).seconds;
    if (seconds > 4 * left) continue;
    if (9 * seconds <= left) return tests;
    return static_cast<std::uint64_t>(static_cast<double>(tests) * left / seconds);
  }
  return tests;
}

}  // namespace

OwnSteps network_steps(const MapTask& problem) {
  constexpr std::uint64_t shortest = 16;      // tests per rank
  constexpr std::uint64_t long_enough = 512;  // for another division to be worth it
  constexpr std::uint64_t longest = 16'384;
  constexpr int last_divisions = 8;
  const double cheap = seconds_of(Effort::fast, problem);
  std::vector<Step> left = starts(problem);
  auto next = left.begin();
  double before = 0;
  const auto is_due = [&] {
    // What does not leave room for annealing comes later.
    const bool fits = before + next->seconds <= 0.8 * cheap;
    return fits || 2 * next->seconds <= before || next == left.begin();
  };
  OwnSteps own;
  std::uint64_t seed = problem.options.seed;
  bool has_restarted = false;
  const auto add = [&](Step step) {
    before += step.seconds;
    own.steps.push_back(std::move(step));
  };
  for (std::uint64_t tests = shortest; tests < longest; tests *= 8) {
    while (next != left.end() && is_due()) add(std::move(*next++));
    // The first annealing also sees to goals that are no sums.
    if (tests == shortest) own.at_least = problem.options.goal ? own.steps.size() + 1 : 1;
    const std::uint64_t whole = tests;
    tests = filling(problem, whole, before);
    if (tests == whole && tests >= long_enough) {
      add(division(problem, ++seed, tests));
      tests = filling(problem, whole, before);
    }
    add(annealing(problem, tests));
    if (!has_restarted && before > 0.7 * cheap) {
      has_restarted = true;
      for (Step& step : small_restarts(problem, before)) add(std::move(step));
    }
  }
  for (int i = 0; i < last_divisions; ++i) add(division(problem, ++seed, longest));
  append_restarts(problem, longest, own.steps);
  return own;
}

}  // namespace kith
