#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "kith/mapper.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::HasSubstr;

MapResult mpipp(const TrafficGraph& graph, const Machine& machine, MapOptions options = {}) {
  return map_ranks(find_algorithm("mpipp"), {graph, machine, options});
}

std::uint64_t value(const TrafficGraph& graph, const Machine& machine, const Mapping& mapping) {
  return evaluate_objective(graph, machine, mapping, Objective::hop_bytes);
}

/// The steps as told: all pairs looked at anew for each exchange.
Mapping steepest_descent(const TrafficGraph& graph, const Machine& machine, Mapping mapping) {
  while (true) {
    const std::uint64_t before = value(graph, machine, mapping);
    std::uint64_t least = before;
    std::pair<std::uint32_t, std::uint32_t> best;
    for (std::uint32_t a = 0; a < graph.ranks(); ++a) {
      for (std::uint32_t b = a + 1; b < graph.ranks(); ++b) {
        Mapping other = mapping;
        std::swap(other.slot_of[a], other.slot_of[b]);
        const std::uint64_t after = value(graph, machine, other);
        if (after < least) {
          least = after;
          best = {a, b};
        }
      }
    }
    if (least == before) return mapping;
    std::swap(mapping.slot_of[best.first], mapping.slot_of[best.second]);
  }
}

TEST(Mpipp, ExchangesThePairThatGainsMost) {
  std::mt19937_64 random(61);
  for (int round = 0; round < 150; ++round) {
    const auto tree = testing::random_symmetric_tree(random, 16);
    const auto torus = parse_machine("torus:4x4");
    const Machine& machine = round % 3 == 0 ? *torus : static_cast<const Machine&>(*tree);
    const std::uint32_t ranks = machine.slots();
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.3, 4));
    MapOptions options;
    options.seed = random() % 1000;
    const Mapping start = map_ranks(find_algorithm("random"), {graph, machine, options}).mapping;
    options.settings = {{"starts", "1"}};
    ASSERT_EQ(mpipp(graph, machine, options).mapping, steepest_descent(graph, machine, start))
        << "round " << round;
  }
}

TEST(Mpipp, KeepsTheBestOfItsStarts) {
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({4, 8}, 5, false, {1})));
  const auto machine = parse_machine("tree:4x8");
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  MapOptions options;
  options.settings = {{"starts", "1"}};
  for (options.seed = 7; options.seed < 7 + 5; ++options.seed) {
    least = std::min(least, value(graph, *machine, mpipp(graph, *machine, options).mapping));
  }
  options.seed = 7;
  options.settings = {{"starts", "5"}};
  EXPECT_EQ(value(graph, *machine, mpipp(graph, *machine, options).mapping), least);
}

// Free slots count as places: two ranks that talk come together though all others are silent.
TEST(Mpipp, MovesToFreeSlots) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 5);
  builder.add(Rank(2), Rank(3), 5);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:4x2");
  EXPECT_EQ(value(graph, *machine, mpipp(graph, *machine).mapping), 20U);
}

TEST(Mpipp, AsksForALimitWhereItWouldTakeLong) {
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({27, 19}, 5, false, {1})));
  const auto machine = parse_machine("tree:27x19");
  try {
    mpipp(graph, *machine);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("512"));
    EXPECT_THAT(error.what(), HasSubstr("time-limit"));
  }
  MapOptions options;
  options.work = 5000;
  EXPECT_EQ(mpipp(graph, *machine, options).stopped, Stopped::work);
}

}  // namespace
}  // namespace kith
