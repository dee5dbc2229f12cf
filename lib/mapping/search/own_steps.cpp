#include "mapping/search/search_plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/rng.hpp"
#include "kith/detail/tree_machine.hpp"
#include "mapping/budget.hpp"
#include "mapping/element_graph.hpp"
#include "mapping/multilevel/multilevel.hpp"
#include "mapping/packing/packing.hpp"
#include "mapping/refine/refine.hpp"
#include "mapping/registry.hpp"
#include "mapping/remap/remap.hpp"
#include "mapping/search/search.hpp"
#include "objective/distance.hpp"

namespace kith {

Step quick_start(const MapTask& problem) {
  const double seconds = choicemap_seconds(problem.graph);
  const auto propose = [=](const MapTask& part) -> std::optional<Proposal> {
    if (!pay(part, seconds)) return std::nullopt;
    return Proposal{choicemap_mapper().map(part).mapping, "kith", "mutual choice"};
  };
  return {seconds, propose, {}};
}

namespace {

/// Swaps after annealing, as a share of its time.
constexpr double swap_share = 0.2;

/// Jobs that are annealed from several beginnings: see small_restarts().
constexpr std::uint32_t most_small_ranks = 256;

/// What the mapping would cost if all pairs were as far apart as ranks are on average, as a share
/// of what it costs.
double spread(const MapTask& problem, const Mapping& mapping) {
  constexpr std::uint32_t samples = 1024;
  const std::uint32_t ranks = problem.graph.ranks();
  QuickRng rng(problem.options.seed);
  return with_distance(problem.machine, problem.options.objective, [&](const auto& distance) {
    double apart = 0;
    for (std::uint32_t i = 0; i < samples; ++i) {
      const Slot a = mapping[Rank(rng.below(ranks))];
      apart += static_cast<double>(distance(a, mapping[Rank(rng.below(ranks))]));
    }
    double cost = 0;
    double weight = 0;
    for (Rank r(0); r.value < ranks; ++r) {
      const auto neighbours = problem.graph.neighbours(r);
      const auto weights = problem.graph.weights(r);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const auto each = static_cast<double>(weights[i]);
        weight += each;
        cost += each * static_cast<double>(distance(mapping[r], mapping[neighbours[i]]));
      }
    }
    return cost > 0 ? weight * apart / samples / cost : 1;
  });
}

/// Short annealing must begin cool, or it destroys more of the start than it mends. So must any
/// where the start is hardly better than disorder, measured on networks: there what divisions find
/// is not found again.
Cooling cooling_for(const MapTask& problem, const Mapping& mapping, std::uint64_t tests_per_rank) {
  const double by_tests = 0.15 * std::sqrt(static_cast<double>(tests_per_rank) / 300);
  if (problem.machine.as_tree() != nullptr) {
    return {std::clamp(by_tests, 0.03, 0.25), 0.01, tests_per_rank};
  }
  const double by_spread = std::clamp(0.1 * (spread(problem, mapping) - 2), 0.06, 0.4);
  const double hottest = std::min(std::max(by_tests, 0.03), by_spread);
  return {hottest, std::clamp(by_spread / 6, 0.016, 0.04), tests_per_rank};
}

/// Annealed, then swaps for a fifth as long.
Mapping annealed(const MapTask& problem, Mapping mapping, const Cooling& cooling,
                 std::uint64_t seed) {
  mapping = anneal(problem, std::move(mapping), cooling, seed, problem.budget);
  const double seconds = swap_share * annealing_seconds(problem, cooling.tests_per_rank);
  return refine_by_swaps(problem, std::move(mapping), visits_in(problem, seconds));
}

/// From a random order: hot enough to melt it.
Step restart(const MapTask& problem, std::uint64_t tests_per_rank, std::uint64_t seed) {
  const Cooling cooling{0.3, 0.005, tests_per_rank};
  const auto propose = [=](const MapTask& part) -> std::optional<Proposal> {
    MapOptions options = part.options;
    options.seed = seed;
    const MapTask seeded{part.graph, part.machine, options, part.budget};
    Mapping mapping = with_constraints(part, random_mapper().map(seeded).mapping);
    mapping = annealed(part, std::move(mapping), cooling, seed);
    return Proposal{std::move(mapping), "kith", "annealing from a random order"};
  };
  return {annealed_seconds(problem, tests_per_rank), propose, {}};
}

}  // namespace

Mapping annealed(const MapTask& problem, Mapping mapping, std::uint64_t tests_per_rank,
                 std::uint64_t seed) {
  const Cooling cooling = cooling_for(problem, mapping, tests_per_rank);
  return annealed(problem, std::move(mapping), cooling, seed);
}

double annealed_seconds(const MapTask& problem, std::uint64_t tests_per_rank) {
  return (1 + swap_share) * annealing_seconds(problem, tests_per_rank);
}

Step annealing(const MapTask& problem, std::uint64_t tests_per_rank) {
  const std::uint64_t seed = problem.options.seed + tests_per_rank;
  Step step;
  step.seconds = annealed_seconds(problem, tests_per_rank);
  step.is_whole = true;
  step.improve = [=](const MapTask& part, Mapping best) {
    return annealed(part, std::move(best), tests_per_rank, seed);
  };
  return step;
}

std::vector<Step> small_restarts(const MapTask& problem, double before) {
  constexpr std::uint64_t most_slots = 4;  // for a rank: among more a random order is no start
  constexpr double share = 0.65;           // of what an effort of balanced has left
  constexpr int count = 3;
  constexpr std::uint64_t longest = 16'384;
  const std::uint64_t ranks = problem.graph.ranks();
  if (ranks > most_small_ranks || problem.options.goal ||
      problem.machine.allowed().size() > most_slots * ranks) {
    return {};
  }
  std::vector<Step> steps;
  const auto add = [&](double seconds) {
    const double tests = seconds / annealed_seconds(problem, 1);
    if (tests < 1) return;
    steps.push_back(restart(problem, std::min(static_cast<std::uint64_t>(tests), longest),
                            problem.options.seed + 1000 + steps.size()));
  };
  // The first one is what fast has time for.
  constexpr double nearly_all = 0.9;
  const double of_fast = nearly_all * std::max(0.0, seconds_of(Effort::fast, problem) - before);
  add(of_fast);
  const double left = share * (seconds_of(Effort::balanced, problem) - before) - of_fast;
  for (int i = 0; i < count; ++i) add(left / count);
  return steps;
}

void append_restarts(const MapTask& problem, std::uint64_t tests_per_rank,
                     std::vector<Step>& steps) {
  constexpr int most = 64;
  for (int i = 1; i <= most; ++i) {
    steps.push_back(restart(problem, tests_per_rank, problem.options.seed + i));
  }
}

namespace {

using multilevel::Trials;

/// As much as an effort of fast has time for.
Trials first_trials(const MapTask& problem) {
  constexpr Trials choice[] = {
      {.partitions = 2, .cycles = 2, .sweeps = 15}, {.cycles = 1, .sweeps = 15}, {.sweeps = 15}};
  const double seconds = seconds_of(Effort::fast, problem);
  for (const Trials& trials : choice) {
    if (division_seconds(problem, trials) <= seconds) return trials;
  }
  return multilevel::light_trials;
}

constexpr std::uint64_t longest_annealing = 16'384;  // tests per rank
constexpr unsigned most_divisions = 64;              // beyond these another seed hardly ever helps

/// The ranks divided with the machine, then swaps for a fifth as long at most: another seed,
/// another division.
Step division(const MapTask& problem, const Trials& trials, unsigned number) {
  const double seconds = division_seconds(problem, trials);
  const double swap_seconds = 0.2 * seconds;
  const std::uint64_t seed = problem.options.seed + number;
  const auto propose = [=](const MapTask& part) -> std::optional<Proposal> {
    auto mapping =
        multilevel::multisect_tree(part, *part.machine.as_tree(), trials, seed, part.budget);
    if (!mapping) return std::nullopt;
    *mapping = with_constraints(part, std::move(*mapping));
    *mapping = refine_by_swaps(part, std::move(*mapping), visits_in(part, swap_seconds));
    return Proposal{std::move(*mapping), "kith", "multilevel division"};
  };
  return {seconds + swap_seconds, propose, {}};
}

constexpr std::uint32_t pairs_of_rank = 12;  // of a rough division

/// Dense traffic divided by the few heaviest pairs of each rank alone.
Step rough_division(const MapTask& problem) {
  const std::uint64_t seed = problem.options.seed;
  const auto propose = [=](const MapTask& part) -> std::optional<Proposal> {
    const TrafficGraph heaviest = heaviest_pairs(part.graph, pairs_of_rank);
    const MapTask rough{heaviest, part.machine, part.options, part.budget};
    auto mapping = multilevel::multisect_tree(rough, *part.machine.as_tree(),
                                              multilevel::light_trials, seed, part.budget);
    if (!mapping) return std::nullopt;
    return Proposal{with_constraints(part, std::move(*mapping)), "kith",
                    "multilevel division by the heaviest pairs"};
  };
  const double edges = std::min<double>(static_cast<double>(problem.graph.edges()),
                                        1.0 * pairs_of_rank * problem.graph.ranks());
  return {division_seconds(problem, multilevel::light_trials) * edges /
              static_cast<double>(problem.graph.edges()),
          propose,
          {}};
}

Step swaps(double seconds) {
  return {seconds, {}, [seconds](const MapTask& problem, Mapping best) {
            return refine_by_swaps(problem, std::move(best), visits_in(problem, seconds));
          }};
}

/// Those who need not move where they are, the others beside them.
Step from_present_places(double seconds) {
  const auto propose = [seconds](const MapTask& part) -> std::optional<Proposal> {
    Mapping mapping = with_constraints(part, stay(part));
    mapping = refine_by_swaps(part, std::move(mapping), visits_in(part, seconds));
    return Proposal{std::move(mapping), "kith", "swaps from the present places"};
  };
  return {seconds, propose, {}};
}

/// Where can_refine_dense().
Step dense_swaps(const MapTask& problem, std::uint64_t tests) {
  const auto improve = [tests](const MapTask& whole, Mapping best) {
    return refine_dense(whole, std::move(best), tests, whole.budget);
  };
  return {dense_seconds(problem, tests), {}, improve};
}

/// The same from a random order.
Step dense_start(const MapTask& problem, std::uint64_t tests, unsigned number) {
  const std::uint64_t seed = problem.options.seed + number;
  const auto propose = [=](const MapTask& part) -> std::optional<Proposal> {
    MapOptions options = part.options;
    options.seed = seed;
    const MapTask seeded{part.graph, part.machine, options, part.budget};
    Mapping mapping = with_constraints(part, random_mapper().map(seeded).mapping);
    mapping = refine_dense(part, std::move(mapping), tests, part.budget);
    return Proposal{std::move(mapping), "kith", "swaps from a random order"};
  };
  return {dense_seconds(problem, tests), propose, {}};
}

/// Hill climbing finds nearly what divisions find, a hundred times sooner.
std::vector<Step> dense_steps(const MapTask& problem) {
  constexpr unsigned starts = 8;
  constexpr std::uint64_t sweeps = 12;  // hardly anything is left to gain then
  const std::uint64_t ranks = problem.graph.ranks();
  const std::uint64_t sweep = ranks * ranks;
  std::vector<Step> steps = {dense_swaps(problem, sweep), dense_swaps(problem, sweeps * sweep)};
  for (unsigned i = 0; i < starts; ++i) {
    steps.push_back(dense_start(problem, sweeps * sweep, i));
  }
  return steps;
}

Step block_exchanges(double seconds) {
  return {seconds, {}, [](const MapTask& problem, Mapping best) {
            return multilevel::refine_blocks(problem, *problem.machine.as_tree(), std::move(best),
                                             {}, problem.budget);
          }};
}

/// Of the best, for so long.
Step annealing_for(const MapTask& problem, double seconds) {
  const double each = annealing_seconds(problem, 1);
  const double tests = std::clamp(seconds / each, 1.0, 1.0 * longest_annealing);
  return annealing(problem, static_cast<std::uint64_t>(tests));
}

/// What an effort of balanced has time for once the steps are done: divisions find the shape of an
/// order, and one long annealing more of the rest than more divisions. Null where that is too
/// little to be of use, and for goals, whose steps take longer than they say here.
std::optional<Step> long_annealing(const MapTask& problem, std::span<const Step> steps) {
  constexpr double share = 0.95 / (1 + swap_share);
  constexpr double least_tests = 300;
  constexpr std::uint32_t most_ranks = 2048;  // of more, divisions find more in the same time
  const std::uint32_t ranks = problem.graph.ranks();
  if (ranks <= most_small_ranks || ranks > most_ranks || problem.options.goal) return std::nullopt;
  double left = seconds_of(Effort::balanced, problem);
  for (const Step& step : steps) left -= step.seconds;
  if (share * left < least_tests * annealing_seconds(problem, 1)) return std::nullopt;
  return annealing_for(problem, share * left);
}

OwnSteps tree_steps(const MapTask& problem) {
  const Trials trials_first = first_trials(problem);
  const double first = division_seconds(problem, trials_first);
  const double shortest = seconds_of(Effort::fast, problem);
  const bool is_dense =
      first > 3 * shortest &&
      problem.graph.edges() > std::uint64_t{pairs_of_rank} * problem.graph.ranks();
  OwnSteps own;
  if (is_dense) own.steps.push_back(rough_division(problem));
  if (is_dense && can_refine_dense(problem)) {
    std::ranges::move(dense_steps(problem), std::back_inserter(own.steps));
  } else if (is_dense) {
    own.steps.push_back(swaps(0.4 * shortest));
  }
  own.steps.push_back(division(problem, trials_first, 0));
  own.steps.push_back(swaps(0.1 * first));
  own.at_least = 2;
  constexpr std::uint32_t many_ranks = 40'000;  // fast divides them once
  if (problem.graph.ranks() > many_ranks) {
    constexpr Trials trials{.cycles = 2, .sweeps = 15};
    constexpr double most_seconds = 12;  // as the model has them
    const bool is_in_time = division_seconds(problem, trials) <= most_seconds;
    own.steps.push_back(division(problem, trials, most_divisions));
    if (is_in_time && problem.options.effort != Effort::fast) own.at_least = 3;
  }
  double before = 0;
  for (const Step& step : own.steps) before += step.seconds;
  std::ranges::move(small_restarts(problem, before), std::back_inserter(own.steps));
  constexpr unsigned usual_divisions = 5;
  for (unsigned divisions = 1; divisions < most_divisions;) {
    if (divisions == usual_divisions) {
      auto step = long_annealing(problem, own.steps);
      if (step) own.steps.push_back(std::move(*step));
    }
    const Trials& trials =
        divisions < usual_divisions ? multilevel::usual_trials : multilevel::heavy_trials;
    for (unsigned i = 0; i < 2; ++i) own.steps.push_back(division(problem, trials, divisions++));
    own.steps.push_back(block_exchanges(first));
    own.steps.push_back(swaps(first));
    own.steps.push_back(annealing_for(problem, 3 * first));
  }
  for (std::uint64_t tests = 1024; tests <= longest_annealing; tests *= 4) {
    own.steps.push_back(annealing(problem, tests));
  }
  append_restarts(problem, longest_annealing, own.steps);
  return own;
}

/// Groups packed whole, then swaps.
Step packing_step(const MapTask& problem, const std::shared_ptr<const packing::Grouping>& grouping,
                  const packing::Effort& effort, unsigned number) {
  const double seconds = packing_seconds(problem, grouping->count, effort.tests_per_group);
  const double swap_seconds = 0.3 * seconds;
  const std::uint64_t seed = problem.options.seed + number;
  const auto propose = [=](const MapTask& part) -> std::optional<Proposal> {
    auto mapping = packing::pack(part, *grouping, effort, seed);
    if (!mapping) return std::nullopt;
    *mapping = with_constraints(part, std::move(*mapping));
    *mapping = refine_by_swaps(part, std::move(*mapping), visits_in(part, swap_seconds));
    return Proposal{std::move(*mapping), "kith", "groups packed"};
  };
  return {seconds + swap_seconds, propose, {}};
}

/// What a job that falls apart begins with, and what more time adds: see packing/.
struct PackingSteps {
  std::vector<Step> first;
  std::vector<Step> later;
};

/// Exchanges per group so that all groupings together take that share of an effort's time.
std::uint64_t packing_tests(const MapTask& problem, const packing::Grouping& grouping,
                            double share_of_effort, Effort effort) {
  constexpr double fewest = 30;
  constexpr double most = 2000;
  const double each =
      packing_seconds(problem, grouping.count, 1) - packing_seconds(problem, grouping.count, 0);
  const double seconds = share_of_effort * seconds_of(effort, problem);
  return static_cast<std::uint64_t>(std::clamp(seconds / each, fewest, most));
}

PackingSteps packing_steps(const MapTask& problem) {
  PackingSteps steps;
  const std::uint64_t room = problem.machine.allowed().size() * problem.options.capacity;
  std::vector<packing::Grouping> groupings = packing::find_groupings(problem.graph);
  if (groupings.empty() || !packing::has_blocks(problem)) return steps;
  const double share = 0.4 / static_cast<double>(std::max<std::size_t>(groupings.size(), 1));
  for (packing::Grouping& found : groupings) {
    const auto grouping = std::make_shared<const packing::Grouping>(std::move(found));
    packing::Effort effort{.trials = multilevel::light_trials};
    effort.tests_per_group = packing_tests(problem, *grouping, share, Effort::fast);
    steps.first.push_back(packing_step(problem, grouping, effort, 0));
    effort.tests_per_group = packing_tests(problem, *grouping, share / 2, Effort::balanced);
    effort.trials = multilevel::usual_trials;
    steps.later.push_back(packing_step(problem, grouping, effort, 1));
    if (room == problem.graph.ranks()) continue;
    effort.sharing = packing::Sharing::even;
    steps.later.push_back(packing_step(problem, grouping, effort, 2));
  }
  return steps;
}

}  // namespace

OwnSteps own_steps(const MapTask& problem) {
  OwnSteps own =
      problem.machine.as_tree() != nullptr ? tree_steps(problem) : network_steps(problem);
  PackingSteps packed = packing_steps(problem);
  const auto after_start = own.steps.begin() + static_cast<std::ptrdiff_t>(own.at_least);
  own.steps.insert(after_start, std::make_move_iterator(packed.later.begin()),
                   std::make_move_iterator(packed.later.end()));
  own.at_least += packed.first.size();
  own.steps.insert(own.steps.begin(), std::make_move_iterator(packed.first.begin()),
                   std::make_move_iterator(packed.first.end()));
  if (problem.options.from) {
    const double seconds = 0.3 * division_seconds(problem, first_trials(problem));
    own.steps.insert(own.steps.begin(), from_present_places(seconds));
    ++own.at_least;
  }
  std::vector<Step> spread = spread_steps(problem);
  if (spread.empty()) return own;
  own.steps.insert(own.steps.begin() + static_cast<std::ptrdiff_t>(own.at_least),
                   std::make_move_iterator(spread.begin() + 1),
                   std::make_move_iterator(spread.end()));
  own.steps.insert(own.steps.begin(), std::move(spread.front()));
  ++own.at_least;
  return own;
}

}  // namespace kith
