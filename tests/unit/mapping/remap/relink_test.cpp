#include "mapping/remap/remap.hpp"

#include <gtest/gtest.h>

#include <random>

#include "mapping/value.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

TEST(Relink, TakesBackOnlyWhatDoesNotPay) {
  // Two pairs that were apart: exchanges of 0 with 2 and of 4 with 6 bring them together, saving
  // 2 hops x 100 and 2 hops x 1.
  const auto machine = parse_machine("tree:4x2");
  TrafficMatrixBuilder builder(8);
  builder.add(Rank(0), Rank(3), 100);
  builder.add(Rank(4), Rank(7), 1);
  const auto graph = TrafficGraph::from(builder.build());
  MapOptions options;
  options.from = identity_mapping(8, *machine, 1);
  Mapping better = *options.from;
  std::swap(better.slot_of[0], better.slot_of[2]);
  std::swap(better.slot_of[4], better.slot_of[6]);
  options.move_cost = 10;
  const Mapping found = relink({graph, *machine, options}, *options.from, better);
  EXPECT_EQ(moved_ranks(*options.from, found), 2U);
  EXPECT_EQ(found[Rank(0)], Slot(2));
  EXPECT_EQ(found[Rank(4)], Slot(4));
  options.move_cost = 0;
  EXPECT_EQ(relink({graph, *machine, options}, *options.from, better), better);
}

TEST(Relink, TakesBackWholeObjects) {
  // The contents of two hosts have changed places: to take back one rank alone would cost more.
  const auto machine = parse_machine("tree:3x4");
  TrafficMatrixBuilder builder(12);
  for (std::uint32_t host = 0; host < 3; ++host) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) builder.add(Rank(4 * host + i), Rank(4 * host + j), 9);
    }
  }
  const auto graph = TrafficGraph::from(builder.build());
  MapOptions options;
  options.from = identity_mapping(12, *machine, 1);
  options.move_cost = 1;
  Mapping turned = *options.from;
  for (std::uint32_t i = 0; i < 4; ++i) std::swap(turned.slot_of[i], turned.slot_of[11 - i]);
  EXPECT_EQ(relink({graph, *machine, options}, *options.from, turned), *options.from);
}

TEST(Relink, IsNeverWorse) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    const auto tree = testing::random_unequal_tree(random);
    const testing::PlainMachine plain(*tree);
    const Machine& machine = round % 2 == 0 ? static_cast<const Machine&>(*tree) : plain;
    MapOptions options;
    options.capacity = 1 + static_cast<std::uint32_t>(random() % 2);
    const auto ranks =
        static_cast<std::uint32_t>(1 + random() % (machine.slots() * options.capacity));
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.3, 50));
    options.from = testing::random_mapping(random, ranks, machine, options.capacity);
    options.move_cost = random() % 300;
    const MapProblem problem{graph, machine, options};
    const Mapping mapping = testing::random_mapping(random, ranks, machine, options.capacity);
    const Mapping found = relink(problem, *options.from, mapping);
    check_mapping(found, machine, options.capacity);
    ASSERT_LE(value_of(problem, found), value_of(problem, mapping)) << "round " << round;
  }
}

}  // namespace
}  // namespace kith
