// Refinement of a random mapping, with all that has to hold of it.
#pragma once

#include <gtest/gtest.h>

#include "mapping/refine/refine.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith::testing {

/// Random traffic, capacity and fixed ranks on `whole`, or without `all_slots` on a random part of
/// it. Expects that refinement breaks no rule, makes nothing worse and does the same again; says
/// whether it made something better.
inline bool refine_random_problem(std::mt19937_64& random, const Machine& whole, bool all_slots,
                                  Objective objective) {
  std::vector<Slot> kept;
  for (std::uint32_t s = 0; s < whole.slots(); ++s) {
    if (all_slots || random() % 3 > 0 || s == 0) kept.emplace_back(s);
  }
  const auto machine = whole.restricted_to(SlotSet::of(kept));
  MapOptions options;
  options.objective = objective;
  options.capacity = static_cast<std::uint32_t>(1 + random() % 3);
  const auto ranks = static_cast<std::uint32_t>(1 + random() % (options.capacity * kept.size()));
  const auto graph = TrafficGraph::from(random_matrix(random, ranks, 0.15, 100));
  const Mapping before = random_mapping(random, ranks, *machine, options.capacity);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    if (random() % 4 == 0) options.fixed.push_back({Rank(r), before[Rank(r)]});
  }
  const MapProblem problem{graph, *machine, options};
  const Mapping after = refine_by_swaps(problem, before);
  EXPECT_NO_THROW(check_mapping(after, *machine, options.capacity));
  for (const FixedRank& fixed : options.fixed) EXPECT_EQ(after[fixed.rank], fixed.slot);
  const auto old_value = evaluate_objective(graph, *machine, before, objective);
  const auto new_value = evaluate_objective(graph, *machine, after, objective);
  EXPECT_LE(new_value, old_value);
  EXPECT_EQ(refine_by_swaps(problem, before), after);
  return new_value < old_value;
}

}  // namespace kith::testing
