#include "mapping/value.hpp"

#include <gtest/gtest.h>

#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

Mapping on(std::initializer_list<std::uint32_t> slots) {
  Mapping mapping;
  for (const std::uint32_t slot : slots) mapping.slot_of.emplace_back(slot);
  return mapping;
}

/// 0 sends 6 to 1 and 2 to 2; 3 sends 1 to 2.
TrafficMatrix small_matrix() {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 6);
  builder.add(Rank(0), Rank(2), 2);
  builder.add(Rank(3), Rank(2), 1);
  return builder.build();
}

TEST(MappingValue, IsTheGoalAndThenTheSumOverPairs) {
  const auto matrix = small_matrix();
  const auto graph = TrafficGraph::from(matrix);
  const auto machine = parse_machine("tree:2x2");
  MapOptions options;
  EXPECT_EQ(value_of({graph, *machine, options}, on({0, 1, 2, 3})).total, 12U + 8 + 2);
  options.goal = Goal{{{Criterion::max_com}}};
  options.objective = Objective::sum_com;
  const auto value = value_of({graph, *machine, options}, on({0, 1, 2, 3}));
  EXPECT_EQ(value.total, 12U);
  EXPECT_EQ(value.tie, 12U + 8 + 2);
  // The same maximum: the sum over pairs decides.
  const auto worse = value_of({graph, *machine, options}, on({0, 1, 3, 2}));
  EXPECT_EQ(worse, value);
  const auto apart = value_of({graph, *machine, options}, on({0, 3, 1, 2}));
  EXPECT_EQ(apart.total, 24U);
  EXPECT_LT(value, apart);
}

TEST(MappingValue, LinkLoadsGoByDirectionsWhereTheyAreKnown) {
  const auto matrix = small_matrix();
  const auto graph = TrafficGraph::from(matrix);
  const auto machine = parse_machine("tree:2x2");
  MapOptions options;
  options.goal = Goal{{{Criterion::link_load}}};
  MapProblem problem{graph, *machine, options};
  problem.matrix = &matrix;
  EXPECT_EQ(value_of(problem, on({0, 1, 2, 3})).total, 8U);  // what rank 0 sends
  problem.matrix = nullptr;
  EXPECT_EQ(value_of(problem, on({0, 1, 2, 3})).total, 4U);  // half of it
}

TEST(MappingValue, OfAMixIsOneForIdentity) {
  const auto matrix = small_matrix();
  const auto graph = TrafficGraph::from(matrix);
  const auto machine = parse_machine("mesh:4");
  MapOptions options;
  options.goal = Goal{{{Criterion::hop_bytes, 1}, {Criterion::link_load, 1}}};
  const MapProblem problem{graph, *machine, options, &matrix};
  constexpr std::uint64_t one = std::uint64_t{1} << mix_bits;
  EXPECT_EQ(value_of(problem, on({0, 1, 2, 3})).total, one);
  // 6 + 2 + 1 bytes instead of 6 + 4 + 1 times a link; the busiest link 6 instead of 8.
  const auto better = value_of(problem, on({1, 0, 2, 3})).total;
  EXPECT_NEAR(static_cast<double>(better) / one, (9.0 / 11 + 6.0 / 8) / 2, 1e-9);
}

TEST(MappingValue, TimesThatNobodyCanTellApartAreEqual) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(2), 5000);
  const auto matrix = builder.build();
  const auto graph = TrafficGraph::from(matrix);
  const auto machine = parse_machine("tree:2x2");
  MapOptions options;
  options.goal = Goal{{{Criterion::network_time}}};
  const MapProblem problem{graph, *machine, options, &matrix};
  const MappingValuer valuer(problem);
  const MappingValue identity = valuer(on({0, 1, 2, 3}));
  const Wide time = identity.exact;
  ASSERT_GT(time, 4096U);
  EXPECT_EQ(identity.total, time);
  EXPECT_EQ(valuer.in_steps(time - 1), time);
  EXPECT_LT(valuer.in_steps(time - time / 500), time);
  EXPECT_GT(valuer.in_steps(time + 1), time);
  for (Wide other = 0; other < 2 * time; other += 777) {
    EXPECT_GE(valuer.in_steps(other), other);
    EXPECT_LT(valuer.in_steps(other), other + time / 1000);
  }
  const TrafficMatrix nothing = TrafficMatrixBuilder(4).build();
  const auto no_pairs = TrafficGraph::from(nothing);
  const MapProblem idle{no_pairs, *machine, options, &nothing};
  EXPECT_EQ(MappingValuer(idle).in_steps(0), 0U);
  options.goal = Goal{{{Criterion::link_load}}};
  const MapProblem by_load{graph, *machine, options, &matrix};
  EXPECT_EQ(MappingValuer(by_load).in_steps(4999), 4999U);
}

}  // namespace
}  // namespace kith
