#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kith/error.hpp"
#include "kith/objective.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TrafficMatrix matrix_of(std::uint32_t ranks, std::vector<TrafficEntry> entries) {
  TrafficMatrixBuilder builder(ranks);
  for (const TrafficEntry& e : entries) builder.add(e.source, e.destination, e.weight);
  return builder.build();
}

Mapping on(std::vector<std::uint32_t> slots) {
  Mapping mapping;
  for (const auto slot : slots) mapping.slot_of.emplace_back(slot);
  return mapping;
}

Metrics metrics_of(const TrafficMatrix& matrix, const char* spec, const Mapping& mapping) {
  return evaluate(matrix, TrafficGraph::from(matrix), *parse_machine(spec), mapping);
}

// 0 -> 1: 10, 1 -> 0: 5 (15 in all); 0 -> 2: 4; 2 -> 3: 7; 3 -> 3: 1000 (diagonal).
const TrafficMatrix small = matrix_of(4, {{Rank(0), Rank(1), 10},
                                          {Rank(1), Rank(0), 5},
                                          {Rank(0), Rank(2), 4},
                                          {Rank(2), Rank(3), 7},
                                          {Rank(3), Rank(3), 1000}});

TEST(Evaluate, CountsEachPairOnceByHand) {
  // Slots 0 1 | 2 3 on two hosts: pairs 01 and 23 meet below (2 hops), 02 above (4 hops).
  const Metrics metrics = metrics_of(small, "tree:2x2", on({0, 1, 2, 3}));
  EXPECT_EQ(metrics.hop_bytes, 15U * 2 + 4 * 4 + 7 * 2);
  EXPECT_DOUBLE_EQ(metrics.hops_per_byte, 60.0 / 26);
  EXPECT_EQ(metrics.sum_com.units, 60U);  // no costs: hops
  EXPECT_EQ(metrics.sum_com.scale, 1U);
  EXPECT_EQ(metrics.max_com.units, 30U);
  EXPECT_DOUBLE_EQ(metrics.mapping_quality, 15 / 2.0 + 4 / 4.0 + 7 / 2.0);
  EXPECT_THAT(metrics.level_bytes, ElementsAre(4, 22));
  EXPECT_EQ(metrics.max_link_load, 14U);  // slot 0 upwards: 10 to rank 1, 4 to rank 2
  EXPECT_DOUBLE_EQ(*metrics.average_link_load, 60.0 / 12);  // 4 slots and 2 hosts, up and down
  EXPECT_EQ(metrics.numa_bytes.level, "node");
  EXPECT_EQ(metrics.numa_bytes.sum, 4U);
  EXPECT_EQ(metrics.numa_bytes.min, 4U);
  EXPECT_EQ(metrics.reduction_value, 8U);  // 4 leave each pair
}

TEST(Evaluate, UsesCostsWhereThereAreSome) {
  const Metrics metrics = metrics_of(small, "tree:2x2@10,.5", on({0, 2, 1, 3}));
  // Pair 01 (15 bytes) and 23 (7) meet above: cost 10; 02 (4) below: .5.
  EXPECT_EQ(metrics.hop_bytes, 15U * 4 + 4 * 2 + 7 * 4);
  EXPECT_EQ(metrics.sum_com.scale, 10U);
  EXPECT_EQ(metrics.sum_com.units, 15U * 100 + 4 * 5 + 7 * 100);
  EXPECT_TRUE(metrics.sum_com.integral());
  EXPECT_DOUBLE_EQ(metrics.sum_com.value(), 222);
  EXPECT_EQ(metrics.max_com.units, 1500U);
  EXPECT_DOUBLE_EQ(metrics.mapping_quality, 15 / 10.0 + 4 / .5 + 7 / 10.0);
  EXPECT_THAT(metrics.level_bytes, ElementsAre(22, 4));
  // Up the left host: 0 -> 1 (10) and 2 -> 3 (7).
  EXPECT_EQ(metrics.max_link_load, 17U);
}

TEST(Evaluate, RanksOnOneSlotAreAtNoDistance) {
  const Metrics metrics = metrics_of(small, "tree:2x2@10,4", on({1, 1, 1, 2}));
  EXPECT_EQ(metrics.hop_bytes, 7U * 4);
  EXPECT_EQ(metrics.sum_com.units, 70U);
  EXPECT_DOUBLE_EQ(metrics.mapping_quality, 19 / 4.0 + 7 / 10.0);  // at the lowest level's cost
  EXPECT_THAT(metrics.level_bytes, ElementsAre(7, 0));
  EXPECT_EQ(metrics.max_link_load, 7U);
}

TEST(Evaluate, LinksAreCountedByDirection) {
  // All send to rank 0: its way down carries the sum, each way up a part.
  const auto matrix =
      matrix_of(4, {{Rank(1), Rank(0), 3}, {Rank(2), Rank(0), 5}, {Rank(3), Rank(0), 6}});
  EXPECT_EQ(metrics_of(matrix, "tree:2x2", on({0, 1, 2, 3})).max_link_load, 14U);
  // The other way round: the way up.
  const auto back =
      matrix_of(4, {{Rank(0), Rank(1), 3}, {Rank(0), Rank(2), 5}, {Rank(0), Rank(3), 6}});
  EXPECT_EQ(metrics_of(back, "tree:2x2", on({0, 1, 2, 3})).max_link_load, 14U);
  // A ring: each slot one up, one down; the hosts' links carry one each way.
  const auto ring = matrix_of(
      4,
      {{Rank(0), Rank(1), 2}, {Rank(1), Rank(2), 2}, {Rank(2), Rank(3), 2}, {Rank(3), Rank(0), 2}});
  EXPECT_EQ(metrics_of(ring, "tree:2x2", on({0, 1, 2, 3})).max_link_load, 2U);
  EXPECT_EQ(metrics_of(ring, "tree:2x2", on({0, 2, 1, 3})).max_link_load, 4U);
}

TEST(Evaluate, NothingSentIsNothing) {
  const auto silent = matrix_of(3, {{Rank(1), Rank(1), 9}});
  const Metrics metrics = metrics_of(silent, "tree:4", on({0, 1, 2}));
  EXPECT_EQ(metrics.hop_bytes, 0U);
  EXPECT_EQ(metrics.hops_per_byte, 0);
  EXPECT_EQ(metrics.mapping_quality, 0);
  EXPECT_EQ(metrics.max_com.units, 0U);
  EXPECT_EQ(metrics.max_link_load, 0U);
  EXPECT_EQ(metrics_of(matrix_of(0, {}), "tree:4", on({})).hop_bytes, 0U);
}

TEST(Evaluate, ACostOfNothingMakesQualityInfinite) {
  const Metrics metrics = metrics_of(small, "tree:2x2@10,0", on({0, 1, 2, 3}));
  EXPECT_TRUE(std::isinf(metrics.mapping_quality));
  EXPECT_EQ(metrics.sum_com.units, 40U);
}

TEST(Evaluate, SumsAreExactUpToTheLastBit) {
  constexpr Weight most = std::numeric_limits<Weight>::max();
  const auto half = matrix_of(2, {{Rank(0), Rank(1), most / 2}});
  EXPECT_EQ(metrics_of(half, "tree:2", on({0, 1})).hop_bytes, most - 1);
  const auto over = matrix_of(2, {{Rank(0), Rank(1), most / 2 + 1}});
  EXPECT_THROW(metrics_of(over, "tree:2", on({0, 1})), Error);
  // Through 64 bits and back would look small.
  const auto wrapped = matrix_of(4, {{Rank(0), Rank(1), most}, {Rank(2), Rank(3), 2}});
  try {
    metrics_of(wrapped, "tree:4", on({0, 1, 2, 3}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("64 bits"));
  }
  const auto graph = TrafficGraph::from(over);
  EXPECT_THROW(
      evaluate_objective(graph, *parse_machine("tree:2"), on({0, 1}), Objective::hop_bytes), Error);
  EXPECT_EQ(evaluate_objective(graph, *parse_machine("tree:2@1"), on({0, 1}), Objective::sum_com),
            most / 2 + 1);
}

TEST(Evaluate, RefusesAMappingOfOtherRanks) {
  EXPECT_THROW(metrics_of(small, "tree:8", on({0, 1, 2})), Error);
  EXPECT_THROW(metrics_of(small, "tree:8", on({0, 1, 2, 8})), Error);
  EXPECT_THROW(evaluate_objective(TrafficGraph::from(small), *parse_machine("tree:8"),
                                  {{Slot(0), Slot(1), Slot(2), no_slot}}, Objective::hop_bytes),
               Error);
}

// All metrics from their definitions, over all ordered pairs of a dense matrix.
Metrics by_definition(const TrafficMatrix& matrix, const TreeMachine& tree,
                      const Mapping& mapping) {
  Metrics metrics;
  metrics.level_bytes.assign(tree.depth(), 0);
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
    for (std::uint32_t j = i + 1; j < matrix.ranks(); ++j) {
      const Weight w = matrix.at(Rank(i), Rank(j)) + matrix.at(Rank(j), Rank(i));
      const Slot a = mapping[Rank(i)];
      const Slot b = mapping[Rank(j)];
      bytes += w;
      metrics.hop_bytes += w * tree.hops(a, b);
      metrics.sum_com.units += w * tree.cost(a, b);
      metrics.max_com.units = std::max(metrics.max_com.units, w * tree.cost(a, b));
      if (a != b) metrics.level_bytes[tree.meeting(a, b)] += w;
      const auto paid = a == b ? tree.levels().back().cost : tree.cost(a, b);
      metrics.mapping_quality += static_cast<double>(w) / static_cast<double>(paid);
    }
  }
  metrics.hops_per_byte =
      bytes == 0 ? 0 : static_cast<double>(metrics.hop_bytes) / static_cast<double>(bytes);
  std::uint64_t busiest = 0;
  std::uint64_t on_links = 0;
  std::uint64_t links = 0;
  for (unsigned level = 1; level <= tree.depth(); ++level) {
    for (std::uint64_t object = 0; object < tree.objects(level); ++object) {
      std::uint64_t up = 0;
      std::uint64_t down = 0;
      for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
        for (std::uint32_t j = 0; j < matrix.ranks(); ++j) {
          const bool from_here =
              tree.ancestor(tree.leaf_of_slot(mapping[Rank(i)]), level) == object;
          const bool to_here = tree.ancestor(tree.leaf_of_slot(mapping[Rank(j)]), level) == object;
          if (from_here && !to_here) up += matrix.at(Rank(i), Rank(j));
          if (to_here && !from_here) down += matrix.at(Rank(i), Rank(j));
        }
      }
      busiest = std::max({busiest, up, down});
      on_links += up + down;
      links += 2;
    }
  }
  metrics.max_link_load = busiest;
  metrics.average_link_load = static_cast<double>(on_links) / static_cast<double>(links);
  return metrics;
}

TEST(Evaluate, AgreesWithTheDefinitions) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 40)
                                     : testing::random_unequal_tree(random);
    const auto capacity = static_cast<std::uint32_t>(1 + random() % 2);
    const auto ranks = static_cast<std::uint32_t>(1 + random() % (capacity * tree->slots()));
    if (ranks > 40) continue;
    const auto matrix = testing::random_matrix(random, ranks, 0.3, 50);
    const auto mapping = testing::random_mapping(random, ranks, *tree, capacity);
    const auto graph = TrafficGraph::from(matrix);
    const Metrics expected = by_definition(matrix, *tree, mapping);
    const testing::PlainMachine plain(*tree);
    for (const Machine* machine :
         {static_cast<const Machine*>(tree.get()), static_cast<const Machine*>(&plain)}) {
      const Metrics metrics = evaluate(matrix, graph, *machine, mapping);
      ASSERT_EQ(metrics.hop_bytes, expected.hop_bytes);
      ASSERT_EQ(metrics.sum_com.units, expected.sum_com.units);
      ASSERT_EQ(metrics.max_com.units, expected.max_com.units);
      ASSERT_DOUBLE_EQ(metrics.hops_per_byte, expected.hops_per_byte);
      ASSERT_NEAR(metrics.mapping_quality, expected.mapping_quality,
                  1e-9 * (1 + expected.mapping_quality));
      ASSERT_EQ(evaluate_objective(graph, *machine, mapping, Objective::hop_bytes),
                expected.hop_bytes);
      ASSERT_EQ(evaluate_objective(graph, *machine, mapping, Objective::sum_com),
                expected.sum_com.units);
    }
    const Metrics metrics = evaluate(matrix, graph, *tree, mapping);
    ASSERT_EQ(metrics.level_bytes, expected.level_bytes);
    ASSERT_EQ(metrics.max_link_load, expected.max_link_load);
    ASSERT_DOUBLE_EQ(*metrics.average_link_load, *expected.average_link_load);
  }
}

TEST(Evaluate, ChoosesTheObjectiveByTheMachine) {
  EXPECT_EQ(default_objective(*parse_machine("tree:2x2")), Objective::hop_bytes);
  EXPECT_EQ(default_objective(*parse_machine("tree:2x2@2,1")), Objective::sum_com);
  EXPECT_EQ(to_string(Objective::hop_bytes), "hop-bytes");
  EXPECT_EQ(to_string(Objective::sum_com), "sum-com");
}

}  // namespace
}  // namespace kith
