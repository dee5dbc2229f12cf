#include "kith/detail/goal.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kith/error.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

Goal single(Criterion criterion) {
  return {{{criterion}}};
}

TEST(Goal, IsNamedAsTheCommandLineSaysIt) {
  EXPECT_EQ(single(Criterion::link_load).name(), "link-load");
  const Goal mix{{{Criterion::hop_bytes, 1}, {Criterion::link_load, 0.5}}};
  EXPECT_EQ(mix.name(), "hop-bytes:1,link-load:0.5");
  EXPECT_TRUE(mix.has(Criterion::link_load));
  EXPECT_FALSE(mix.has(Criterion::max_com));
}

TEST(Goal, HasASumOverPairsNearIt) {
  const auto tree = parse_machine("tree:2x2");
  const auto with_costs = parse_machine("tree:2x2@3,1");
  EXPECT_EQ(single(Criterion::sum_com).as_objective(), Objective::sum_com);
  EXPECT_EQ(single(Criterion::max_com).as_objective(), std::nullopt);
  EXPECT_EQ(single(Criterion::max_com).nearest_objective(*tree), Objective::sum_com);
  EXPECT_EQ(single(Criterion::link_load).nearest_objective(*tree), Objective::hop_bytes);
  EXPECT_EQ(single(Criterion::network_time).nearest_objective(*tree), Objective::hop_bytes);
  EXPECT_EQ(single(Criterion::network_time).nearest_objective(*with_costs), Objective::sum_com);
  const Goal mix{{{Criterion::link_load, 1}, {Criterion::sum_com, 2}}};
  EXPECT_EQ(mix.as_objective(), std::nullopt);
  EXPECT_EQ(mix.nearest_objective(*tree), Objective::sum_com);
}

TEST(Goal, IsMeasuredAsEvaluateDoes) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 50; ++round) {
    const auto tree = testing::random_symmetric_tree(random, 40);
    const auto ranks = static_cast<std::uint32_t>(2 + random() % (tree->slots() - 1));
    const auto matrix = testing::random_matrix(random, ranks, 0.4, 1000);
    const auto graph = TrafficGraph::from(matrix);
    Mapping mapping = identity_mapping(ranks, *tree, 1);
    std::shuffle(mapping.slot_of.begin(), mapping.slot_of.end(), random);
    const Metrics metrics = evaluate(matrix, graph, *tree, mapping);
    Goal all;
    for (const Criterion criterion : criteria) all.terms.push_back({criterion});
    const std::vector<std::uint64_t> expected = {metrics.hop_bytes, metrics.sum_com.units,
                                                 metrics.max_com.units, *metrics.max_link_load,
                                                 metrics.network_time.units};
    EXPECT_EQ(measure(all, matrix, graph, *tree, mapping), expected);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(measured(criteria[i], metrics).units, expected[i]);
    }
  }
}

TEST(Goal, AMixIsRelativeToIdentity) {
  const Goal mix{{{Criterion::hop_bytes, 3}, {Criterion::link_load, 1}}};
  constexpr std::uint64_t one = std::uint64_t{1} << mix_bits;
  const auto mixed = [&](std::uint64_t hop_bytes, std::uint64_t load) {
    return combined(mix, std::vector{hop_bytes, load}, std::vector<std::uint64_t>{1000, 10});
  };
  EXPECT_EQ(mixed(1000, 10), one);
  EXPECT_EQ(mixed(2000, 10), one * 7 / 4);
  EXPECT_EQ(mixed(1000, 5), one * 7 / 8);
  // Saturated, and nothing divided by zero.
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(combined(mix, std::vector{most, most}, std::vector<std::uint64_t>{0, 0}), most);
  // A single term is its own value, whatever identity has.
  EXPECT_EQ(combined(single(Criterion::max_com), std::vector<std::uint64_t>{7}, {}), 7U);
}

TEST(Goal, LinkLoadNeedsAMachineWithLinks) {
  const auto dragonfly = parse_machine("dragonfly:9,4,2");
  EXPECT_THROW(check_goal(single(Criterion::link_load), *dragonfly), Error);
  EXPECT_NO_THROW(check_goal(single(Criterion::max_com), *dragonfly));
  EXPECT_NO_THROW(check_goal(single(Criterion::link_load), *parse_machine("torus:4x4/2")));
}

}  // namespace
}  // namespace kith
