#include "kith/detail/reorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "kith/detail/generate.hpp"
#include "kith/detail/job.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

// Pairs (i, i + 8) on 4 hosts of 4: all traffic leaves the hosts, none needs to.
TrafficMatrix far_pairs() {
  TrafficMatrixBuilder builder(16);
  for (std::uint32_t i = 0; i < 8; ++i) builder.add(Rank(i), Rank(i + 8), 1000);
  return builder.build();
}

ReorderOptions options_for(const char* algorithm) {
  ReorderOptions options;
  options.algorithm = find_algorithm(algorithm);
  return options;
}

TEST(Reorder, AppliesWhatSaves) {
  const auto machine = parse_machine("tree:4x4");
  const ReorderDecision decision =
      decide_reorder(far_pairs(), *machine, options_for("eagermap+refine"));
  EXPECT_TRUE(decision.apply);
  EXPECT_EQ(decision.before.level_bytes[0], 8000U);
  EXPECT_EQ(decision.after.level_bytes[0], 0U);
  EXPECT_EQ(decision.mapping[Rank(0)], Slot(0));
  check_mapping(decision.mapping, *machine, 1);
  EXPECT_THAT(decision.reason, MatchesRegex("nothing between hosts; [0-9]+ of 16 ranks move "
                                            "\\(algorithm eagermap\\+refine, [0-9.e-]+ s\\)"));
  const TrafficMatrix sent = far_pairs();
  EXPECT_THAT(decide_reorder(sent, *machine, options_for("eagermap+refine"), nullptr, &sent).reason,
              HasSubstr("nothing between hosts instead of 7.8 KiB; "));
}

TEST(Reorder, TakesTheBusiestCableBeforeTheSum) {
  // A chain of 4 hosts of 2, in pairs that talk: as much crosses in all whichever two pairs change
  // places, but one host may send for two.
  TrafficMatrixBuilder builder(8);
  for (const std::uint32_t i : {1U, 3U}) builder.add(Rank(0), Rank(2 * i), 1000);
  builder.add(Rank(1), Rank(5), 1000);
  for (std::uint32_t i = 0; i < 8; i += 2) builder.add(Rank(i), Rank(i + 1), 600);
  const auto matrix = builder.build();
  const auto machine = parse_machine("tree:4x2");
  auto options = options_for("auto");
  options.keep_rank0 = false;
  options.map.goal = Goal{{{Criterion::network_time}}};
  const ReorderDecision decision = decide_reorder(matrix, *machine, options, nullptr, &matrix);
  ASSERT_TRUE(decision.apply) << decision.reason;
  EXPECT_LT(decision.after.network_time.units, decision.before.network_time.units);
  EXPECT_THAT(decision.reason, HasSubstr("the busiest host sends or receives "));
  // Weights that a program declares are no bytes.
  EXPECT_THAT(decide_reorder(matrix, *machine, options).reason, Not(HasSubstr("busiest host")));
}

TEST(Reorder, CountsTheSumWhereTheGoalDoesNotRise) {
  const Goal by_time{{{Criterion::network_time}}};
  const auto metrics = [](std::uint64_t time, std::uint64_t hop_bytes) {
    Metrics made;
    made.network_time.units = time;
    made.hop_bytes = hop_bytes;
    return made;
  };
  const Metrics now = metrics(1000, 1000);
  const auto machine = parse_machine("tree:4x2");
  const auto gain = [&](const Metrics& then) {
    return counted_gain(by_time, Objective::hop_bytes, *machine, now, then).share;
  };
  EXPECT_NEAR(gain(metrics(600, 900)), 0.4, 1e-9);
  EXPECT_NEAR(gain(metrics(1000, 700)), 0.3, 1e-9);
  EXPECT_NEAR(gain(metrics(800, 1100)), 0.2, 1e-9);
  EXPECT_EQ(gain(metrics(900, 1200)), 0);  // bought with more than it saves
  EXPECT_EQ(gain(metrics(1001, 500)), 0);
}

/// Ranks 0 and 1 fill their hosts' cables whatever the others do, who could be together.
TrafficMatrix full_cables() {
  TrafficMatrixBuilder builder(8);
  for (std::uint32_t i = 2; i < 8; ++i) builder.add(Rank(0), Rank(i), 10000);
  for (const auto& [a, b] : {std::pair(2U, 4U), {3U, 6U}, {5U, 7U}}) {
    builder.add(Rank(a), Rank(b), 5000);
    builder.add(Rank(b), Rank(a), 5000);
  }
  return builder.build();
}

/// Hosts on cables of 1 MB/s, which was measured.
std::unique_ptr<Machine> measured_hosts(std::uint32_t hosts, std::uint32_t cores) {
  TreeDescription tree;
  tree.children = {{hosts}, std::vector<std::uint32_t>(hosts, cores)};
  tree.names = {"network", "host"};
  tree.kind = tree.spec = "job";
  tree.nodes = hosts;
  tree.measured = {{"network", 0, 0, 1}, {"host", 0, 0, 0}};
  return TreeMachine::from(std::move(tree));
}

TEST(Reorder, FallsBackToTheSumWhereTheBusiestLinkStays) {
  const auto matrix = full_cables();
  const auto machine = parse_machine("tree:4x2");
  auto options = options_for("auto");
  options.map.goal = Goal{{{Criterion::network_time}}};
  const ReorderDecision decision = decide_reorder(matrix, *machine, options);
  ASSERT_TRUE(decision.apply) << decision.reason;
  EXPECT_LE(decision.after.network_time.units, decision.before.network_time.units);
  EXPECT_LT(decision.after.hop_bytes, decision.before.hop_bytes);
}

TEST(Reorder, MeasuresTheGainByTheWallTimeWhereTheNetworkIsKnown) {
  const auto machine = measured_hosts(4, 4);
  auto options = options_for("auto");
  options.map.goal = Goal{{{Criterion::network_time}}};
  options.wall_seconds = 0.1;  // of which 4 ms on the busiest cable
  EXPECT_TRUE(decide_reorder(far_pairs(), *machine, options).apply);
  options.wall_seconds = 10;
  const auto decision = decide_reorder(far_pairs(), *machine, options);
  EXPECT_FALSE(decision.apply);
  EXPECT_THAT(decision.reason,
              HasSubstr("saves 0.04% of the recorded run of 10 s, less than KITH_MIN_GAIN"));
  EXPECT_EQ(decision.gain.wall_seconds, 10);
  // Where no bandwidth is known the share is of the goal, whatever the run took.
  options.min_gain = 0.9;
  const auto other = decide_reorder(far_pairs(), *parse_machine("tree:4x4"), options);
  EXPECT_FALSE(other.gain.wall_seconds);
  EXPECT_EQ(other.reason.find("recorded run"), std::string::npos) << other.reason;
}

TEST(Reorder, SparesNoSecondsByTheSumAlone) {
  auto options = options_for("auto");
  options.map.goal = Goal{{{Criterion::network_time}}};
  const auto machine = measured_hosts(4, 2);
  // Rank 0 fills its host's cable whoever sits beside it, least with rank 1, which is there.
  TrafficMatrixBuilder builder(8);
  for (std::uint32_t i = 1; i < 8; ++i) builder.add(Rank(0), Rank(i), 10000);
  for (const auto& [a, b] : {std::pair(2U, 4U), {3U, 6U}, {5U, 7U}}) {
    builder.add(Rank(a), Rank(b), 5000);
    builder.add(Rank(b), Rank(a), 5000);
  }
  const TrafficMatrix matrix = builder.build();
  EXPECT_TRUE(decide_reorder(matrix, *machine, options).apply);
  options.wall_seconds = 0.1;
  const auto decision = decide_reorder(matrix, *machine, options);
  EXPECT_FALSE(decision.apply) << decision.reason;
}

TEST(Reorder, KeepsRankZeroWhereItIs) {
  // Rank 0 would be best beside rank 5; it must not be the one that moves.
  TrafficMatrixBuilder builder(8);
  builder.add(Rank(0), Rank(5), 1000);
  builder.add(Rank(1), Rank(7), 900);
  const auto matrix = builder.build();
  const auto machine = parse_machine("tree:4x2");
  for (const char* algorithm : {"scotch", "eagermap", "auto", "random+refine"}) {
    auto options = options_for(algorithm);
    const auto decision = decide_reorder(matrix, *machine, options);
    EXPECT_EQ(decision.mapping[Rank(0)], Slot(0)) << algorithm;
  }
}

TEST(Reorder, LeavesAGoodOrderAlone) {
  const auto machine = parse_machine("tree:4x4");
  TrafficMatrixBuilder builder(16);
  for (std::uint32_t i = 0; i < 15; ++i) builder.add(Rank(i), Rank(i + 1), i % 2 == 0 ? 1000 : 1);
  const auto matrix = builder.build();
  for (const Mapper* mapper : mappers()) {
    if (mapper->name() == "eagermap-load") continue;  // no loads here
    ReorderOptions options;
    options.algorithm = {mapper, false};
    options.min_gain = 0;
    const auto decision = decide_reorder(matrix, *machine, options);
    EXPECT_FALSE(decision.apply) << mapper->name();
    EXPECT_EQ(decision.mapping, identity_mapping(16, *machine, 1));
    EXPECT_THAT(decision.reason, HasSubstr("no better order found than the present one"));
    EXPECT_THAT(decision.reason, Not(HasSubstr("stays")));  // said once
  }
}

TEST(Reorder, AsksForTheMinimumGain) {
  // All but a thousandth of the traffic is where it should be.
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 100000);
  builder.add(Rank(2), Rank(3), 100000);
  const auto near = builder.build();
  EXPECT_FALSE(decide_reorder(near, *parse_machine("tree:2x2"), options_for("auto")).apply);

  TrafficMatrixBuilder more(6);
  more.add(Rank(0), Rank(1), 100000);
  more.add(Rank(2), Rank(4), 300);
  more.add(Rank(3), Rank(5), 300);
  const auto matrix = more.build();
  const auto machine = parse_machine("tree:3x2");
  auto options = options_for("auto");
  auto decision = decide_reorder(matrix, *machine, options);
  EXPECT_FALSE(decision.apply);
  EXPECT_EQ(decision.mapping, identity_mapping(6, *machine, 1));
  EXPECT_LT(decision.after.hop_bytes, decision.before.hop_bytes);
  EXPECT_THAT(decision.reason,
              MatchesRegex("the best order found saves 0\\.593%, less than KITH_MIN_GAIN=2% "
                           "\\(algorithm kith, [0-9.e-]+ s\\): exhaustive search.*; the present "
                           "order is at most 0\\.596% above the optimum"));
  options.min_gain = 0.005;
  EXPECT_TRUE(decide_reorder(matrix, *machine, options).apply);
}

TEST(Reorder, SaysHowTheOrderWasFound) {
  const auto matrix = to_matrix(*make_permuted(make_stencil({8, 8}, 5, false, {1}), 3));
  const auto machine = parse_machine("tree:4x16");
  const auto decision = decide_reorder(matrix, *machine, options_for("kith"));
  EXPECT_TRUE(decision.apply);
  EXPECT_THAT(decision.reason, MatchesRegex("[0-9]+% less between hosts; [0-9]+ of 64 ranks move "
                                            "\\(algorithm kith, [0-9.e-]+ s\\)"));
  EXPECT_THAT(decision.account, MatchesRegex("2D 5-point stencil 8x8.*hop-bytes 0\\..* of the "
                                             "present order.*"));
}

TEST(Reorder, SaysHowGoodTheOrderIsThatStays) {
  const auto machine = parse_machine("tree:4x16");
  const auto blocks = to_matrix(*make_stencil({64, 1}, 5, false, {1}));
  auto decision = decide_reorder(blocks, *machine, options_for("kith"));
  EXPECT_FALSE(decision.apply);
  EXPECT_THAT(decision.reason,
              MatchesRegex("no better order found than the present one, which is optimal "
                           "\\(algorithm kith, [0-9.e-]+ s\\)"));
  // A published algorithm gives no account, and finds nothing better than rows of 16.
  const auto rows = to_matrix(*make_stencil({8, 8}, 5, false, {1}));
  decision = decide_reorder(rows, *machine, options_for("identity"));
  EXPECT_FALSE(decision.apply);
  EXPECT_THAT(decision.reason,
              MatchesRegex("no better order found than the present one \\(algorithm identity, "
                           "[0-9.e-]+ s\\); the present order is at most 6\\.[0-9]+% above the "
                           "optimum"));
  // The bound is not reached, but all other orders with rank 0 in its place were looked at.
  TrafficMatrixBuilder triangles(6);
  for (const std::uint32_t i : {0U, 3U}) {
    triangles.add(Rank(i), Rank(i + 1), 5);
    triangles.add(Rank(i + 1), Rank(i + 2), 5);
    triangles.add(Rank(i), Rank(i + 2), 5);
  }
  decision = decide_reorder(triangles.build(), *parse_machine("tree:3x2"), options_for("kith"));
  EXPECT_TRUE(decision.is_optimal);
  EXPECT_THAT(decision.reason,
              MatchesRegex("no better order found than the present one, which is optimal with rank "
                           "0 in its place \\(algorithm kith, [0-9.e-]+ s\\)"));
  // With state, an order that moves fewer ranks may be worth more than the optimum.
  auto with_data = options_for("kith");
  with_data.has_state = true;
  EXPECT_FALSE(decide_reorder(triangles.build(), *parse_machine("tree:3x2"), with_data).is_optimal);
  // A bound that is far off is no news.
  const auto spread = to_matrix(*make_permuted(make_stencil({8, 8}, 5, false, {1}), 3));
  decision = decide_reorder(spread, *machine, options_for("identity"));
  EXPECT_THAT(decision.reason, Not(HasSubstr("above the optimum")));
}

TEST(Reorder, MovesFewRanksWhereTheyHoldState) {
  // Only 13 and 14 must change places; Scotch has hosts of its own choice for all.
  TrafficMatrixBuilder builder(16);
  for (std::uint32_t i = 0; i < 12; i += 2) builder.add(Rank(i), Rank(i + 1), 10);
  builder.add(Rank(12), Rank(14), 10);
  builder.add(Rank(13), Rank(15), 10);
  const auto matrix = builder.build();
  auto options = options_for("scotch");
  options.has_state = true;
  const auto decision = decide_reorder(matrix, *parse_machine("tree:8x2"), options);
  EXPECT_TRUE(decision.apply);
  EXPECT_THAT(decision.reason, HasSubstr("; 2 of 16 ranks move ("));
}

// Pairs (0, 4) .. (3, 7) on 2 hosts of 4, with these bytes.
TrafficMatrix pairs_across(const std::vector<std::uint64_t>& bytes) {
  TrafficMatrixBuilder builder(8);
  for (std::uint32_t i = 0; i < 4; ++i) builder.add(Rank(i), Rank(i + 4), bytes[i]);
  return builder.build();
}

ReorderDecision with_state(const TrafficMatrix& matrix, const char* machine, double bytes,
                           double remaining, const char* algorithm = "auto") {
  auto options = options_for(algorithm);
  const auto slots = parse_machine(machine);
  options.map.objective = default_objective(*slots);
  options.has_state = true;
  options.state_bytes = bytes;
  options.remaining = remaining;
  return decide_reorder(matrix, *slots, options);
}

TEST(Reorder, MovesStateWhereThatPays) {
  // Four ranks move, 4 hops each; each of four pairs saves 2 hops.
  const auto matrix = pairs_across({1000, 1000, 1000, 1000});
  for (const char* algorithm : {"auto", "scotch+refine"}) {
    auto decision = with_state(matrix, "tree:2x4", 499, 1, algorithm);
    EXPECT_TRUE(decision.apply) << algorithm;
    EXPECT_EQ(decision.moved, 4U);
    EXPECT_DOUBLE_EQ(decision.moving_cost, 499 * 16);
    EXPECT_DOUBLE_EQ(decision.saving, 8000);
    EXPECT_THAT(decision.reason, HasSubstr("; 4 of 8 ranks move at 0.998 of what is saved ("));
    decision = with_state(matrix, "tree:2x4", 501, 1, algorithm);
    EXPECT_FALSE(decision.apply) << algorithm;
    EXPECT_EQ(decision.mapping, identity_mapping(8, *parse_machine("tree:2x4"), 1));
    EXPECT_DOUBLE_EQ(decision.moving_cost, 501 * 16);
    EXPECT_THAT(decision.reason, HasSubstr("moving the data of 4 ranks"));
    EXPECT_TRUE(with_state(matrix, "tree:2x4", 501, 1.01, algorithm).apply);
    EXPECT_FALSE(with_state(matrix, "tree:2x4", 1, 0, algorithm).apply);
  }
}

TEST(Reorder, MovesOnlyTheRanksWhoseMovesPay) {
  const auto matrix = pairs_across({100, 9000, 100, 9000});
  EXPECT_EQ(with_state(matrix, "tree:2x4", 1, 1).moved, 4U);
  const auto decision = with_state(matrix, "tree:2x4", 1000, 1);
  EXPECT_TRUE(decision.apply);
  EXPECT_EQ(decision.moved, 2U);  // 1 to 7 or 3 to 5, or the other way round, and who makes room
  EXPECT_GT(decision.saving, decision.moving_cost);
}

TEST(Reorder, MeasuresMovesInTheCostsOfTheMachine) {
  const auto decision =
      with_state(pairs_across({1000, 1000, 1000, 1000}), "tree:2x4@10.5,0.5", 10, 3);
  EXPECT_TRUE(decision.apply);
  EXPECT_DOUBLE_EQ(decision.moving_cost, 10 * 4 * 10.5);
  EXPECT_DOUBLE_EQ(decision.saving, 3 * 4000 * 10.0);
}

TEST(Reorder, HoldsOutAgainstAbsurdNumbers) {
  const auto matrix = pairs_across({1000, 1, 1, 1});
  EXPECT_FALSE(with_state(matrix, "tree:2x4", 1e60, 1e-60).apply);
  EXPECT_TRUE(with_state(matrix, "tree:2x4", 1e-60, 1e60).apply);
}

TEST(Reorder, SaysWhenNothingWasSent) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(1), Rank(1), 77);
  const auto decision =
      decide_reorder(builder.build(), *parse_machine("tree:2x2"), options_for("auto"));
  EXPECT_FALSE(decision.apply);
  EXPECT_THAT(decision.reason, HasSubstr("no pair of ranks has any traffic"));
}

TEST(Reorder, UsesTheSlotsThatHoldProcesses) {
  // Six processes on the first six allowed slots of twelve: no other slot has one.
  const auto machine = parse_machine("tree:6x2;slots=1-11");
  TrafficMatrixBuilder builder(6);
  for (std::uint32_t i = 0; i < 3; ++i) builder.add(Rank(i), Rank(i + 3), 10);
  const auto decision = decide_reorder(builder.build(), *machine, options_for("auto"));
  EXPECT_TRUE(decision.apply);
  for (const Slot slot : decision.mapping.slot_of) {
    EXPECT_GE(slot, Slot(1));
    EXPECT_LE(slot, Slot(6));
  }
  EXPECT_EQ(decision.mapping[Rank(0)], Slot(1));
}

TEST(Reorder, SpeaksOfHostsOnlyWhereThereAreSeveral) {
  const auto machine = parse_machine("hwloc:package:4 core:4 pu:1");
  const auto decision = decide_reorder(far_pairs(), *machine, options_for("auto"));
  EXPECT_TRUE(decision.apply);
  EXPECT_THAT(decision.reason, Not(HasSubstr("between hosts")));
}

TEST(Reorder, RefusesMoreRanksThanSlots) {
  EXPECT_THROW(decide_reorder(far_pairs(), *parse_machine("tree:2x2"), options_for("auto")), Error);
}

/// The matrix of ranks that were renumbered: what rank i sent, number[i] sends.
TrafficMatrix renumbered(const TrafficMatrix& matrix, const std::vector<std::uint32_t>& number) {
  TrafficMatrixBuilder builder(matrix.ranks(), matrix.entries());
  for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
    const auto destinations = matrix.destinations(Rank(i));
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      builder.add(Rank(number[i]), Rank(number[destinations[k].value]), matrix.weights(Rank(i))[k]);
    }
  }
  return builder.build();
}

std::string without_seconds(const std::string& reason) {
  return std::regex_replace(reason, std::regex("[0-9.e+-]+ s\\)?$"), "");
}

// Ranks that are on slots in another order: the same as if they were numbered by slot.
TEST(Reorder, APresentMappingIsLikeRenumberedRanks) {
  std::mt19937 random(3);
  for (const char* const spec : {"tree:4x4", "tree:4x4;slots=1-12,14-15", "torus:4x4"}) {
    const auto whole = parse_machine(spec);
    const std::uint32_t ranks = 14;
    const TrafficMatrix matrix = to_matrix(*make_geometric(ranks, 5));
    std::vector<std::uint32_t> number(ranks);
    std::iota(number.begin(), number.end(), 0U);
    for (const char* const algorithm : {"auto", "kith", "eagermap+refine", "treematch"}) {
      std::ranges::shuffle(number, random);
      Mapping present;
      for (const std::uint32_t i : number) present.slot_of.push_back(whole->allowed().at(i));
      const auto machine = whole->restricted_to(SlotSet::of(present.slot_of));

      for (const double state_bytes : {0.0, 10.0}) {
        ReorderOptions options = options_for(algorithm);
        options.has_state = state_bytes > 0;
        options.state_bytes = state_bytes;
        const ReorderDecision decision = decide_reorder(matrix, *whole, options, &present);
        options.keep_rank0 = false;
        options.map.fixed = {{Rank(number[0]), present[Rank(0)]}};
        const ReorderDecision turned =
            decide_reorder(renumbered(matrix, number), *machine, options);

        EXPECT_EQ(decision.apply, turned.apply) << spec << algorithm;
        for (std::uint32_t i = 0; i < ranks; ++i) {
          EXPECT_EQ(decision.mapping[Rank(i)], turned.mapping[Rank(number[i])]) << i;
        }
        EXPECT_EQ(decision.moved, turned.moved);
        EXPECT_EQ(decision.saving, turned.saving);
        EXPECT_EQ(decision.moving_cost, turned.moving_cost);
        EXPECT_EQ(decision.before.hop_bytes, turned.before.hop_bytes);
        EXPECT_EQ(decision.after.hop_bytes, turned.after.hop_bytes);
        EXPECT_EQ(without_seconds(decision.reason), without_seconds(turned.reason));
        if (!decision.apply) {
          EXPECT_EQ(decision.mapping, present);
        }
        EXPECT_EQ(decision.mapping[Rank(0)], present[Rank(0)]);
      }
    }
  }
}

TEST(Reorder, APresentMappingInTurnChangesNothing) {
  const auto machine = parse_machine("tree:4x4");
  const Mapping present = identity_mapping(16, *machine, 1);
  const auto decision = decide_reorder(far_pairs(), *machine, options_for("auto"), &present);
  const auto usual = decide_reorder(far_pairs(), *machine, options_for("auto"));
  EXPECT_EQ(decision.mapping, usual.mapping);
  EXPECT_EQ(without_seconds(decision.reason), without_seconds(usual.reason));
}

TEST(Reorder, LoadsAndCoordinatesBelongToRanks) {
  const auto machine = parse_machine("tree:4x4");
  Mapping present = identity_mapping(16, *machine, 1);
  std::ranges::reverse(present.slot_of);
  ReorderOptions options = options_for("geom");
  options.map.coordinates = RankCoordinates::grid(std::vector<std::uint32_t>{4, 4});
  options.map.loads.assign(16, 1);
  options.map.loads[3] = 9;
  const auto decision = decide_reorder(far_pairs(), *machine, options, &present);
  auto turned = options;
  std::ranges::reverse(turned.map.loads);
  std::vector<double> values;
  for (std::uint32_t i = 0; i < 16; ++i) {
    const auto place = options.map.coordinates->of(15 - i);
    values.insert(values.end(), place.begin(), place.end());
  }
  turned.map.coordinates->values = values;
  turned.keep_rank0 = false;
  turned.map.fixed = {{Rank(15), Slot(15)}};
  std::vector<std::uint32_t> number(16);
  for (std::uint32_t i = 0; i < 16; ++i) number[i] = 15 - i;
  const auto expected = decide_reorder(renumbered(far_pairs(), number), *machine, turned);
  for (std::uint32_t i = 0; i < 16; ++i) {
    EXPECT_EQ(decision.mapping[Rank(i)], expected.mapping[Rank(15 - i)]);
  }
}

TEST(Reorder, RefusesAPresentMappingThatIsNone) {
  const auto machine = parse_machine("tree:4x4;slots=0-14");
  const auto options = options_for("auto");
  TrafficMatrixBuilder builder(3, 1);
  builder.add(Rank(0), Rank(2), 5);
  const TrafficMatrix matrix = builder.build();
  for (const Mapping& wrong : {Mapping{{Slot(0), Slot(0), Slot(1)}},
                               Mapping{{Slot(0), Slot(1), Slot(15)}}, Mapping{{Slot(0)}}}) {
    EXPECT_THROW(decide_reorder(matrix, *machine, options, &wrong), Error);
  }
}

}  // namespace
}  // namespace kith
