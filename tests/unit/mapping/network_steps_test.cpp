#include "mapping/search/search_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "kith/detail/generate.hpp"
#include "mapping/registry.hpp"
#include "mapping/search/search.hpp"

namespace kith {
namespace {

std::uint64_t value(const MapProblem& problem, const Mapper& mapper) {
  return evaluate_objective(problem.graph, problem.machine,
                            map_ranks({&mapper, false}, problem).mapping,
                            problem.options.objective);
}

TEST(NetworkSteps, NeverLoseToPlacingOneByOneWhereThatIsCheap) {
  struct Case {
    unsigned scale;
    const char* machine;
  };
  for (const Case& one : {Case{10, "torus:8x16x8"}, Case{12, "torus:16x16/16"}}) {
    const auto ranks = std::uint64_t{1} << one.scale;
    const auto graph = TrafficGraph::from(to_matrix(*make_rmat(one.scale, 8 * ranks, 12)));
    const auto machine = parse_machine(one.machine);
    MapOptions options;
    options.effort = Effort::fast;
    const MapProblem problem{graph, *machine, options};
    const std::uint64_t ours = value(problem, kith_mapper());
    EXPECT_LE(ours, value(problem, topolb_mapper())) << one.machine;
    EXPECT_LE(ours, value(problem, topocentlb_mapper())) << one.machine;
  }
}

TEST(NetworkSteps, BeginWithSomethingCheapUnderATimeLimit) {
  const auto graph = TrafficGraph::from(to_matrix(*make_geometric(8192, 1)));
  const auto machine = parse_machine("torus:16x16x16/2");
  MapOptions options;
  options.time_limit = 1;
  const MapProblem problem{graph, *machine, options};
  const OwnSteps own = network_steps(problem);
  ASSERT_FALSE(own.steps.empty());
  const Step& first = own.steps.front();
  ASSERT_TRUE(first.propose);
  EXPECT_LT(first.seconds, 0.5 * division_seconds(problem, multilevel::light_trials));
  const auto proposal = first.propose({graph, *machine, options, nullptr});
  ASSERT_TRUE(proposal);
  EXPECT_LT(
      2 * evaluate_objective(graph, *machine, proposal->mapping, options.objective),
      evaluate_objective(graph, *machine, identity_mapping(8192, *machine, 1), options.objective));
}

TEST(NetworkSteps, AnnealForLongerEachTimeOrWhatAnEffortHasLeft) {
  const auto graph = TrafficGraph::from(to_matrix(*make_geometric(512, 2)));
  const auto machine = parse_machine("torus:8x8x8");
  const MapOptions options;
  const MapProblem problem{graph, *machine, options};
  double before = 0;
  int seen = 0;
  for (const Step& step : network_steps(problem).steps) {
    if (!step.improve) continue;
    EXPECT_TRUE(step.is_whole);
    if (seen++ > 0) {
      EXPECT_GE(step.seconds, 2 * before - 1e-9);
    }
    before = step.seconds;
  }
  EXPECT_GE(seen, 3);
  for (const Effort effort : {Effort::fast, Effort::balanced}) {
    MapOptions limited;
    limited.effort = effort;
    double taken = 0;
    for (const Step& step :
         planned_steps({graph, *machine, limited}, Candidates::own, Situation::no_start)) {
      taken += step.seconds;
    }
    EXPECT_GT(taken, 0.8 * seconds_of(effort, problem));
    EXPECT_LE(taken, seconds_of(effort, problem));
  }
}

TEST(NetworkSteps, StartFewRanksFromRandomOrders) {
  for (const char* spec : {"tree:4x6x3@100,10,1", "torus:5x4x4"}) {
    const auto machine = parse_machine(spec);
    const auto graph = TrafficGraph::from(to_matrix(*make_geometric(66, 2)));
    const MapOptions options;
    const MapTask problem{graph, *machine, options};
    const auto restarts = small_restarts(problem, 0.02);
    EXPECT_GE(restarts.size(), 2U);
    double seconds = 0;
    for (const Step& step : restarts) seconds += step.seconds;
    EXPECT_LT(seconds, seconds_of(Effort::balanced, problem) - 0.02);
  }
  const auto large = parse_machine("tree:64x64");
  const auto graph = TrafficGraph::from(to_matrix(*make_geometric(66, 2)));
  const MapOptions options;
  EXPECT_TRUE(small_restarts({graph, *large, options}, 0.02).empty()) << "no start among so many";
}

// What the steps take is an estimate; TopoLB alone would take a hundred times as long.
TEST(NetworkSteps, PlaceAStarAroundItsHub) {
  constexpr std::uint32_t ranks = 512;
  TrafficMatrixBuilder builder(ranks);
  for (std::uint32_t r = 1; r < ranks; ++r) builder.add(Rank(0), Rank(r), 7);
  const auto graph = TrafficGraph::from(builder.build());
  for (const char* spec : {"torus:8x8x8", "dragonfly:16,32,1", "mesh:512"}) {
    const auto machine = parse_machine(spec);
    std::uint64_t least = UINT64_MAX;
    for (std::uint32_t hub = 0; hub < ranks; ++hub) {
      std::uint64_t sum = 0;
      for (std::uint32_t s = 0; s < ranks; ++s) sum += 7 * machine->hops(Slot(hub), Slot(s));
      least = std::min(least, sum);
    }
    MapOptions options;
    options.effort = Effort::fast;
    EXPECT_EQ(value({graph, *machine, options}, kith_mapper()), least) << spec;
  }
}

TEST(NetworkSteps, TakeAsLongAsTheEffortAllowsOrOneStart) {
  for (const char* spec : {"torus:8x16x8", "dragonfly:16,64,1", "dragonfly:16,8,8", "mesh:1024"}) {
    const auto machine = parse_machine(spec);
    for (const std::uint64_t pairs : {2'000, 10'000, 50'000}) {
      const auto graph = TrafficGraph::from(to_matrix(*make_rmat(10, pairs, 3)));
      MapOptions options;
      options.effort = Effort::fast;
      const MapProblem problem{graph, *machine, options};
      const double most = seconds_of(Effort::fast, problem);
      const auto seconds_in = [](std::span<const Step> steps) {
        double seconds = 0;
        for (const Step& step : steps) seconds += step.seconds;
        return seconds;
      };
      const auto own = planned_steps(problem, Candidates::own, Situation::no_start);
      EXPECT_TRUE(own.size() == 1 || seconds_in(own) <= most) << spec;
      const auto all = planned_steps(problem, Candidates::all, Situation::no_start);
      EXPECT_LE(seconds_in(std::span(all).subspan(own.size())), most) << spec;
    }
  }
}

TEST(NetworkSteps, CountWhatLoweringBottlenecksTakes) {
  const auto graph = TrafficGraph::from(to_matrix(*make_geometric(16, 2)));
  const auto machine = parse_machine("torus:4x4");
  MapOptions options;
  const MapProblem problem{graph, *machine, options};
  const auto plain = planned_steps(problem, Candidates::own, Situation::some_start);
  options.goal = Goal{{{Criterion::hop_bytes, 1}, {Criterion::link_load, 1}}};
  const auto mix = planned_steps(problem, Candidates::own, Situation::some_start);
  EXPECT_LT(mix.size(), plain.size());
  double seconds = 0;
  for (const Step& step : mix) seconds += step.seconds;
  EXPECT_LE(seconds, seconds_of(Effort::balanced, problem));
  const auto at_least = planned_steps(problem, Candidates::own, Situation::no_start);
  ASSERT_FALSE(at_least.empty());
  const bool improves =
      std::ranges::any_of(at_least, [](const Step& step) { return !!step.improve; });
  EXPECT_TRUE(improves) << "a start alone does nothing for a goal";
}

TEST(Search, GivesTheRestOfTheTimeToAllImprovements) {
  const auto graph = TrafficGraph::from(to_matrix(*make_geometric(64, 2)));
  const auto machine = parse_machine("torus:8x8");
  MapOptions options;
  options.time_limit = 1000;
  Budget budget(options);
  const MapTask problem{graph, *machine, options, &budget};
  int improvements = 0;
  Step too_long;
  too_long.seconds = 1e6;
  too_long.propose = [](const MapProblem&) -> std::optional<Proposal> {
    ADD_FAILURE() << "there is no time for it";
    return std::nullopt;
  };
  Step improvement;
  improvement.improve = [&](const MapProblem&, Mapping best) {
    ++improvements;
    return best;
  };
  const std::vector<Step> steps{too_long, improvement, too_long, improvement};
  Search search(problem, "test");
  search.run(steps);
  EXPECT_EQ(improvements, 2);
  EXPECT_EQ(budget.stopped(), Stopped::time);
}

}  // namespace
}  // namespace kith
