#include "mapping/packing/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "kith/detail/generate.hpp"
#include "kith/machine.hpp"
#include "mapping/registry.hpp"
#include "mapping/search/search_plan.hpp"
#include "unit/mapping/property_problems.hpp"

namespace kith::packing {
namespace {

/// Cliques of these sizes with shuffled ranks, each pair `inside`; then as many pairs of any two
/// ranks as there are ranks, each `between` unless that is 0.
TrafficGraph cliques(std::mt19937_64& random, std::span<const std::uint64_t> sizes, Weight inside,
                     Weight between) {
  std::vector<std::uint32_t> clique_of;
  for (std::uint32_t p = 0; p < sizes.size(); ++p) clique_of.insert(clique_of.end(), sizes[p], p);
  std::ranges::shuffle(clique_of, random);
  const auto ranks = static_cast<std::uint32_t>(clique_of.size());
  TrafficMatrixBuilder builder(ranks);
  for (std::uint32_t i = 0; i < ranks; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (clique_of[i] == clique_of[j]) builder.add(Rank(i), Rank(j), inside);
    }
    const auto other = static_cast<std::uint32_t>(random() % ranks);
    if (other != i && between > 0) builder.add(Rank(i), Rank(other), between);
  }
  return TrafficGraph::from(builder.build());
}

std::uint64_t hop_bytes(const TrafficGraph& graph, const Machine& machine, const Mapping& mapping) {
  return evaluate_objective(graph, machine, mapping, Objective::hop_bytes);
}

/// What all pairs pay where each group is whole in a node whose slots are 2 apart.
std::uint64_t least(const TrafficGraph& graph) {
  return 2 * total_weight(graph);
}

TEST(Groupings, AreComponentsAndWhatLightPairsJoin) {
  std::mt19937_64 random(1);
  const std::vector<std::uint64_t> sizes{7, 5, 12, 3, 3, 8, 2};
  const auto apart = find_groupings(cliques(random, sizes, 100, 0));
  ASSERT_EQ(apart.size(), 1U);
  EXPECT_EQ(apart[0].count, sizes.size());
  const auto tied = find_groupings(cliques(random, sizes, 100, 1));
  ASSERT_FALSE(tied.empty());
  EXPECT_EQ(tied.back().count, sizes.size());
}

TEST(Groupings, AreNoneWhereNothingFallsApart) {
  EXPECT_TRUE(find_groupings(TrafficGraph()).empty());
  for (const auto& pattern : {make_stencil({8, 8}, 5, false, {1}), make_geometric(200, 1)}) {
    EXPECT_TRUE(find_groupings(TrafficGraph::from(to_matrix(*pattern))).empty());
  }
  // A job with ranks that do nothing.
  std::mt19937_64 random(2);
  EXPECT_TRUE(
      find_groupings(cliques(random, std::vector<std::uint64_t>{30, 1, 1, 1}, 1, 0)).empty());
}

TEST(RoomTree, EndsWithWhatHoldsSeveralSlots) {
  const auto machine = parse_machine("tree:3x2x4;slots=0-7,8-9,12-14,20");
  const SlotTree slots(*machine);
  const RoomTree one_each(slots, 1);
  std::vector<std::uint64_t> rooms;
  for (const std::uint32_t block : one_each.blocks()) rooms.push_back(one_each[block].room);
  EXPECT_EQ(rooms, (std::vector<std::uint64_t>{4, 4, 2, 3, 1}));
  EXPECT_EQ(one_each.rooms()[0], 14U);
  const RoomTree two_each(slots, 2);
  EXPECT_EQ(two_each.blocks().size(), 14U);
  EXPECT_EQ(two_each.rooms()[0], 28U);
  const auto torus = parse_machine("torus:3x3/4");
  EXPECT_EQ(RoomTree(SlotTree(*torus), 1).blocks().size(), 9U);
}

TEST(PackGroups, KeepsAllWholeWhereTheyFillTheMachine) {
  std::mt19937_64 random(3);
  const auto machine = parse_machine("tree:6x3x16");
  for (int round = 0; round < 50; ++round) {
    const std::uint64_t largest = 3 + random() % 14;
    std::vector<std::uint64_t> sizes;
    for (int node = 0; node < 18; ++node) {
      for (std::uint64_t left = 16; left > 0; left -= sizes.back()) {
        sizes.push_back(std::min(left, 1 + random() % largest));
      }
    }
    std::ranges::shuffle(sizes, random);
    RoomTree tree(SlotTree(*machine), 1);
    const std::vector<double> weights(sizes.begin(), sizes.end());
    const auto shares = pack_groups(tree, sizes, weights, Sharing::full, 8, 1);
    for (std::size_t group = 0; group < sizes.size(); ++group) {
      ASSERT_EQ(shares[group].size(), 1U) << round;
      EXPECT_EQ(shares[group][0].ranks, sizes[group]);
    }
    EXPECT_EQ(tree.rooms()[0], 0U);
  }
}

TEST(PackGroups, GivesAllRanksRoomWhateverTheSizes) {
  std::mt19937_64 random(4);
  for (const char* const spec :
       {"tree:4x3x5", "tree:7x9", "tree:3x2x8;slots=0-9,12-30,40-47", "torus:3x3/5"}) {
    const auto machine = parse_machine(spec);
    for (int round = 0; round < 100; ++round) {
      std::vector<std::uint64_t> sizes;
      std::uint64_t left = 1 + random() % machine->allowed().size();
      while (left > 0) left -= sizes.emplace_back(std::min(left, 1 + random() % 20));
      const std::vector<double> weights(sizes.size(), 1);
      for (const Sharing sharing : {Sharing::full, Sharing::even}) {
        RoomTree tree(SlotTree(*machine), 1);
        const auto shares = pack_groups(tree, sizes, weights, sharing, 3, 7);
        std::vector<std::uint64_t> filled(tree.objects().size());
        for (std::size_t group = 0; group < sizes.size(); ++group) {
          std::uint64_t ranks = 0;
          for (const Share& share : shares[group]) {
            ranks += share.ranks;
            filled[share.block] += share.ranks;
          }
          ASSERT_EQ(ranks, sizes[group]) << spec;
        }
        for (const std::uint32_t block : tree.blocks()) {
          ASSERT_LE(filled[block], tree[block].capacity) << spec;
          ASSERT_EQ(filled[block] + tree[block].room, tree[block].capacity) << spec;
        }
      }
    }
  }
}

TEST(PackGroups, SharesEvenlyWhereAsked) {
  const auto machine = parse_machine("tree:4x16");
  const std::vector<std::uint64_t> sizes{20, 20};
  const std::vector<double> weights{1, 1};
  for (const auto& [sharing, first] : {std::pair{Sharing::full, 16U}, {Sharing::even, 10U}}) {
    RoomTree tree(SlotTree(*machine), 1);
    const auto shares = pack_groups(tree, sizes, weights, sharing, 1, 1);
    ASSERT_EQ(shares[0].size(), 2U);
    EXPECT_EQ(std::max(shares[0][0].ranks, shares[0][1].ranks), first);
  }
}

TEST(Pack, KeepsGroupsWholeOnUnequalNodesAndBesideIdleSlots) {
  std::mt19937_64 random(5);
  const std::vector<std::uint64_t> sizes{5, 7, 3, 8, 6, 2, 4, 8};
  const TrafficGraph graph = cliques(random, sizes, 10, 0);
  for (const char* const spec :
       {"tree:12x8", "tree:4x2x8", "tree:8x8;slots=0-4,8-14,16-18,24-31,32-37,40-41,48-51,56-63"}) {
    const auto machine = parse_machine(spec);
    const auto mapping =
        pack({graph, *machine, MapOptions{}}, find_groupings(graph).at(0), Effort{}, 1);
    ASSERT_TRUE(mapping);
    check_mapping(*mapping, *machine, 1);
    EXPECT_EQ(hop_bytes(graph, *machine, *mapping), least(graph)) << spec;
  }
}

TEST(Pack, DividesGroupsThatAreLargerThanNodes) {
  std::mt19937_64 random(6);
  const std::vector<std::uint64_t> sizes{24, 24, 8, 8};
  const TrafficGraph graph = cliques(random, sizes, 10, 0);
  const auto machine = parse_machine("tree:4x2x8");
  const auto mapping =
      pack({graph, *machine, MapOptions{}}, find_groupings(graph).at(0), Effort{}, 1);
  ASSERT_TRUE(mapping);
  check_mapping(*mapping, *machine, 1);
  // The two large ones in three nodes each, two of which are brothers, are as good as it gets.
  const auto identity = identity_mapping(64, *machine, 1);
  TrafficMatrixBuilder in_order(64);
  std::uint32_t first = 0;
  for (const std::uint64_t size : {24U, 8U, 24U, 8U}) {
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) in_order.add(Rank(first + i), Rank(first + j), 10);
    }
    first += static_cast<std::uint32_t>(size);
  }
  const TrafficGraph planted = TrafficGraph::from(in_order.build());
  EXPECT_EQ(hop_bytes(graph, *machine, *mapping), hop_bytes(planted, *machine, identity));
}

TEST(Pack, ExchangesLowerWhatLightPairsCost) {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> sizes;
  for (int i = 0; i < 96; ++i) sizes.push_back(2 + random() % 4);
  const std::uint64_t ranks = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  sizes.push_back(480 - ranks);
  const TrafficGraph graph = cliques(random, sizes, 1000, 5);
  const Grouping grouping = find_groupings(graph).back();
  for (const char* const spec : {"tree:10x4x12", "torus:5x4x2/12"}) {
    const auto machine = parse_machine(spec);
    const MapOptions options;
    Effort effort{.tests_per_group = 0, .trials = multilevel::light_trials};
    const auto packed = pack({graph, *machine, options}, grouping, effort, 1);
    effort.tests_per_group = 300;
    const auto exchanged = pack({graph, *machine, options}, grouping, effort, 1);
    ASSERT_TRUE(packed && exchanged);
    check_mapping(*exchanged, *machine, 1);
    EXPECT_LT(hop_bytes(graph, *machine, *exchanged), hop_bytes(graph, *machine, *packed)) << spec;
  }
}

/// Where each node is one slot there is nothing to pack into, and no time is kept for it.
TEST(Pack, LeavesTimeForAnnealingWithoutBlocks) {
  std::mt19937_64 random(11);
  const std::vector<std::uint64_t> sizes(100, 6);
  const TrafficGraph graph = cliques(random, sizes, 1000, 3);
  ASSERT_FALSE(find_groupings(graph).empty());
  const auto machine = parse_machine("torus:9x9x8");
  MapOptions options;
  EXPECT_FALSE(has_blocks({graph, *machine, options}));
  EXPECT_TRUE(has_blocks({graph, *parse_machine("torus:9x9x8/2"), options}));
  options.effort = kith::Effort::fast;
  const auto steps =
      planned_steps({graph, *machine, options}, Candidates::own, Situation::no_start);
  EXPECT_TRUE(std::ranges::any_of(steps, [](const Step& step) { return step.improve != nullptr; }));
}

TEST(Packing, IsValidOnAllMachines) {
  const TempDirectory files;
  const auto machines = testing::machine_zoo(files);
  testing::for_each_problem(machines, 2, 3, [](const testing::PropertyProblem& one) {
    SCOPED_TRACE(one.name);
    const MapProblem problem = one.get();
    const std::uint32_t ranks = problem.graph.ranks();
    check_mapping(grown_order(problem), problem.machine, problem.options.capacity);
    Grouping grouping;
    for (std::uint32_t r = 0; r < ranks; ++r) grouping.group_of.push_back(r % (1 + ranks / 3));
    grouping.count = std::min(ranks, 1 + ranks / 3);
    for (const Sharing sharing : {Sharing::full, Sharing::even}) {
      const auto mapping = pack(problem, grouping, Effort{.sharing = sharing, .trials = {}}, 1);
      if (mapping) check_mapping(*mapping, problem.machine, problem.options.capacity);
    }
  });
}

TEST(GrownOrder, KeepsNeighboursTogether) {
  const auto graph = TrafficGraph::from(to_matrix(*make_permuted(make_geometric(2048, 3), 4)));
  const auto machine = parse_machine("tree:16x8x16");
  const MapProblem problem{graph, *machine, MapOptions{}};
  EXPECT_LT(3 * hop_bytes(graph, *machine, grown_order(problem)),
            2 * hop_bytes(graph, *machine, identity_mapping(2048, *machine, 1)));
}

}  // namespace
}  // namespace kith::packing
