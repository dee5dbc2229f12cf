// The whole search of `kith` and `auto`, and the steps that it consists of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/search/search.hpp"

namespace kith {

/// Kith's own starts, or published mappers beside them.
enum class Candidates { own, all };

/// What is known before the first step.
enum class Situation {
  no_start,    ///< nothing is better than the present order
  some_start,  ///< something made by formula is
  near_bound,  ///< and hardly anything can be better still
};

/// The steps that the effort takes. Kith's own are a prefix of what the next higher effort takes;
/// behind them come the published mappers, of which a higher effort takes more.
std::vector<Step> planned_steps(const MapTask& problem, Candidates candidates, Situation situation);

/// Follows one search plan, a list of steps that depends on the problem alone, as far as a fixed
/// cost model allows; limits of time and work only cut. So more effort never makes the answer
/// worse, nor do more work and time at the same effort. Among all candidates the answer is never
/// worse than that among Kith's own at the same effort.
Mapper::Answer search_mapping(const MapTask& problem, Candidates candidates);

/// The published mappers that can use the machine and end in reasonable time, each refined by
/// swaps; the cheapest first. GEOM, and on networks TopoLB, are among Kith's own starts.
std::vector<Step> published_steps(const MapTask& problem);

// The steps of Kith's own search plan: quick start, multilevel, refinement, annealing.

struct OwnSteps {
  std::vector<Step> steps;
  std::size_t at_least = 0;  ///< of them, whatever they cost
};

/// A division and its refinement, then more divisions, heavier ones, and refinement of the best.
/// Where even one division would cost too much for an effort of fast, swaps come first.
OwnSteps own_steps(const MapTask& problem);

// Steps of a search that anneal.

/// The mapping annealed, then swaps for a fifth as long.
Mapping annealed(const MapTask& problem, Mapping mapping, std::uint64_t tests_per_rank,
                 std::uint64_t seed);
/// What that takes.
double annealed_seconds(const MapTask& problem, std::uint64_t tests_per_rank);

/// Anneals the best so far.
Step annealing(const MapTask& problem, std::uint64_t tests_per_rank);

/// Random orders, each annealed: one for what an effort of fast has left after so many seconds, then
/// some for a part of what balanced has: where ranks are so few that this is as good as a division. Else none.
std::vector<Step> small_restarts(const MapTask& problem, double before);

/// For problems so small that all else has been tried: random orders, each annealed.
void append_restarts(const MapTask& problem, std::uint64_t tests_per_rank,
                     std::vector<Step>& steps);

/// For goals that go by the busiest link or pair, where slots stay free: each node has a cable of
/// its own, so ranks on more nodes may make less of a bottleneck, though their bytes go further.
/// The fewest slots of each node that suffice, then twice as many, and so on, below all of them.
/// Else none.
std::vector<Step> spread_steps(const MapTask& problem);

/// ChoiceMap, on any machine: poor, but several times cheaper than a division.
Step quick_start(const MapTask& problem);

/// The cheapest start, and those that leave an effort of fast time to anneal; the best of them is
/// annealed, each time for eight times as long as the time before, or for what an effort has left.
/// A start that costs much comes when it costs at most half of all before it. Before longer
/// annealing another division is annealed beside the best.
OwnSteps network_steps(const MapTask& problem);

}  // namespace kith
