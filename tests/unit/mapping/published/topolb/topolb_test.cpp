#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "mapping/published/topolb/topolb.hpp"
#include "unit/mapping/published/topolb/problems.hpp"

namespace kith {
namespace {

using testing::topolb::map_with;

struct Variant {
  const char* algorithm;
  int order;
};
constexpr Variant variants[] = {{"topolb-1", 1}, {"topolb", 2}, {"topolb-3", 3}};

/// Weights are multiplied by `factor` for the mapper only, which changes no choice.
void expect_as_in_the_paper(const testing::topolb::SmallProblem& problem, const Variant& variant,
                            bool printed_divisor, Weight factor) {
  testing::topolb::paper::TopoLb paper;
  paper.c = testing::topolb::traffic_table(problem.matrix);
  paper.d = testing::topolb::distance_table(*problem.machine, problem.options.objective);
  paper.order = variant.order;
  paper.n_minus_k = printed_divisor;
  const Mapping expected = testing::topolb::on_allowed_slots(paper.map(), *problem.machine);

  TrafficMatrixBuilder builder(problem.matrix.ranks());
  for (Rank r(0); r.value < problem.matrix.ranks(); ++r) {
    const auto to = problem.matrix.destinations(r);
    for (std::size_t i = 0; i < to.size(); ++i) {
      builder.add(r, to[i], problem.matrix.weights(r)[i] * factor);
    }
  }
  MapOptions options = problem.options;
  if (printed_divisor) options.settings = {{"divisor", "printed"}};
  EXPECT_EQ(map_with(variant.algorithm, builder.build(), *problem.machine, options), expected)
      << variant.algorithm << " on " << problem.machine->spec() << ", "
      << problem.machine->allowed().size() << " slots, " << problem.matrix.ranks() << " ranks";
}

TEST(TopoLb, ChoosesAsThePaperDoes) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 400; ++round) {
    const auto problem = testing::topolb::random_small_problem(random);
    for (const Variant& variant : variants) {
      expect_as_in_the_paper(problem, variant, round % 4 == 3, 1 + round % 2);
      if (HasFailure()) return;
    }
  }
}

TEST(TopoLb, AnswersNothingBeyondTheEffortThatItMayTake) {
  const auto graph = TrafficGraph::from(to_matrix(*make_geometric(64, 3)));
  const auto machine = parse_machine("torus:8x8");
  const MapOptions options;
  const MapProblem problem{graph, *machine, options};
  topolb::Estimation estimation;
  const auto whole = topolb::place_by_estimate(graph, problem, estimation);
  estimation.most_effort = 1000;
  EXPECT_TRUE(topolb::place_by_estimate(graph, problem, estimation).empty());
  estimation.most_effort = 1'000'000;
  EXPECT_EQ(topolb::place_by_estimate(graph, problem, estimation), whole);
  EXPECT_EQ(whole.size(), 64U);
}

// Estimates of more than 32 and of more than 64 bits: two coprime weights cannot be divided.
TEST(TopoLb, ChoosesAsThePaperDoesWithLargeWeights) {
  std::mt19937_64 random(5);
  for (const Weight heavy : {Weight{1} << 30, Weight{1} << 44}) {
    for (int round = 0; round < 30; ++round) {
      testing::topolb::SmallProblem problem;
      problem.machine = parse_machine("mesh:3x3");
      TrafficMatrixBuilder builder(9);
      for (int pair = 0; pair < 12; ++pair) {
        const Rank a(static_cast<std::uint32_t>(random() % 9));
        const Rank b(static_cast<std::uint32_t>(random() % 9));
        if (a != b) builder.add(a, b, heavy + random() % 3);
      }
      problem.matrix = builder.build();
      for (const Variant& variant : variants) {
        expect_as_in_the_paper(problem, variant, false, 1);
        if (HasFailure()) return;
      }
    }
  }
}

// Weights so heavy that estimates need 128 bits give what light ones in proportion give.
TEST(TopoLb, WeightsUpTo60Bits) {
  const auto machine = parse_machine("mesh:4x4");
  TrafficMatrixBuilder light(8);
  TrafficMatrixBuilder heavy(8);
  for (std::uint32_t r = 0; r < 8; ++r) {
    const Weight weight = 1 + r % 3;
    light.add(Rank(r), Rank((r * 3 + 1) % 8), weight << 20);
    heavy.add(Rank(r), Rank((r * 3 + 1) % 8), weight << 58);
  }
  // One odd byte keeps the weights from being divided.
  light.add(Rank(0), Rank(7), 1);
  heavy.add(Rank(0), Rank(7), 1);
  const auto light_matrix = light.build();
  const auto heavy_matrix = heavy.build();
  for (const Variant& variant : variants) {
    EXPECT_EQ(map_with(variant.algorithm, light_matrix, *machine),
              map_with(variant.algorithm, heavy_matrix, *machine));
  }
}

// Section 5.2: a mesh on a torus that contains it.
TEST(TopoLb, KeepsNeighboursOfAMeshTogether) {
  struct Case {
    std::vector<std::uint32_t> extents;
    const char* torus;
  };
  for (const Case& c :
       {Case{{8, 8}, "torus:8x8"}, Case{{16, 16}, "torus:16x16"}, Case{{8, 8}, "torus:4x4x4"}}) {
    const auto matrix = to_matrix(*make_stencil(c.extents, 5, false, {1}));
    const auto machine = parse_machine(c.torus);
    const Mapping mapping = map_with("topolb", matrix, *machine);
    EXPECT_EQ(evaluate(matrix, TrafficGraph::from(matrix), *machine, mapping).hops_per_byte, 1.0)
        << c.torus;
  }
}

// More ranks than slots: groups of equal size, near to each other what communicates.
TEST(TopoLb, GroupsRanksThatAreMoreThanTheSlots) {
  const auto matrix = to_matrix(*make_stencil({16, 16}, 5, false, {1}));
  const auto graph = TrafficGraph::from(matrix);
  const auto machine = parse_machine("torus:4x4");
  MapOptions options;
  options.capacity = 16;
  for (const char* algorithm : {"topolb", "topolb-1", "topolb-3", "topocentlb"}) {
    const Mapping mapping = map_with(algorithm, matrix, *machine, options);
    std::vector<int> on_slot(16);
    for (const Slot slot : mapping.slot_of) ++on_slot[slot.value];
    EXPECT_THAT(on_slot, ::testing::Each(16)) << algorithm;
    // Tiles of 4 x 4 would cut 96 pairs of weight 2, one hop each.
    EXPECT_LE(evaluate(matrix, graph, *machine, mapping).hop_bytes, 2 * 96 * 2U) << algorithm;
  }
}

TEST(TopoLb, RanksThatAreSilentGoInOrder) {
  const auto matrix = TrafficMatrixBuilder(5).build();
  const auto machine = parse_machine("mesh:3x3");
  for (const char* algorithm : {"topolb", "topolb-1", "topolb-3", "topocentlb"}) {
    const Mapping mapping = map_with(algorithm, matrix, *machine);
    for (std::uint32_t r = 0; r < 5; ++r) EXPECT_EQ(mapping[Rank(r)], Slot(r)) << algorithm;
  }
}

TEST(TopoLb, StopsWhenTheTimeIsUp) {
  const auto matrix = to_matrix(*make_stencil({8, 8}, 5, false, {1}));
  const auto graph = TrafficGraph::from(matrix);
  const auto machine = parse_machine("torus:8x8");
  MapOptions options;
  options.time_limit = 0;
  for (const char* algorithm : {"topolb", "topolb-1", "topolb-3", "topocentlb"}) {
    const MapResult result = map_ranks(find_algorithm(algorithm), {graph, *machine, options});
    EXPECT_EQ(result.stopped, Stopped::time) << algorithm;
  }
}

// A star: the centre's placement gives every other rank a row as long as the machine is large.
TEST(TopoLb, RefusesTablesThatAreTooLarge) {
  TrafficMatrixBuilder builder(4096);
  for (std::uint32_t r = 1; r < 4096; ++r) builder.add(Rank(0), Rank(r), r);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:524288x1");
  const MapOptions options;
  try {
    map_ranks(find_algorithm("topolb"), {graph, *machine, options});
    FAIL() << "a table of 4095 x 524288 was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(
        error.what(),
        ::testing::HasSubstr("for topolb a problem whose table of estimates takes at most 4 GB"));
  }
}

TEST(TopoLb, RefusesEstimatesThatDoNotFit) {
  TrafficMatrixBuilder builder(3);
  builder.add(Rank(0), Rank(1), Weight{1} << 63U);
  builder.add(Rank(1), Rank(2), 1);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:262144x1@4294967295,1");
  MapOptions options;
  options.objective = Objective::sum_com;
  try {
    map_ranks(find_algorithm("topolb-3"), {graph, *machine, options});
    FAIL() << "2^63 x 2^32 x 2^18 x 2^18 was computed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("for topolb-3 weights and distances"));
  }
}

}  // namespace
}  // namespace kith
