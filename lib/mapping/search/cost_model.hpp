// What the steps of a search cost, from sizes alone: a clock would make answers differ.
#pragma once

#include <cstdint>
#include <span>

#include "mapping/budget.hpp"
#include "mapping/multilevel/multilevel.hpp"
#include "mapping/search/search.hpp"

namespace kith {

/// Takes from the budget what so many seconds are worth in the unit of MapOptions::work, swap tests
/// of some 100 ns: for work that counts nothing itself. False where it is not left.
bool pay(const MapTask& problem, double seconds);

/// Seconds on one core that an effort may take for so many ranks: fast 0.05 for 1024 and 0.7 for
/// 16384, balanced up to 3, best up to 40.
double seconds_of(Effort effort, std::uint32_t ranks);

/// The first steps that together take at most so long, but always the first `at_least`.
std::span<const Step> affordable(std::span<const Step> steps, double seconds, std::size_t at_least);

/// Seconds of one multilevel division of the ranks.
double division_seconds(const MapTask& problem, const multilevel::Trials& trials);
/// Of anneal().
double annealing_seconds(const MapTask& problem, std::uint64_t tests_per_rank);
/// What TopoLB on so many slots takes where no rank talks with very many, in entries of its table
/// looked at.
double topolb_effort(const MapTask& problem, std::uint64_t slots);
double topolb_seconds(const MapTask& problem, std::uint64_t slots);
double topocentlb_seconds(const MapTask& problem, std::uint64_t slots);
double choicemap_seconds(const TrafficGraph& graph);
/// Of refine_dense().
double dense_seconds(const MapTask& problem, std::uint64_t tests);
/// Of finding a hidden grid.
double structure_seconds(const TrafficGraph& graph);
double lower_bound_seconds(const TrafficGraph& graph);

/// Neighbours that refine_by_swaps() looks at in so many seconds.
std::uint64_t visits_in(const MapTask& problem, double seconds);

}  // namespace kith
