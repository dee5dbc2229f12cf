// What the efforts, the limits and the threads promise, and what the search says of its answer.
#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"
#include "mapping/budget.hpp"
#include "mapping/search/search.hpp"
#include "mapping/search/search_plan.hpp"
#include "unit/mapping/property_problems.hpp"

namespace kith {
namespace {

using testing::PropertyProblem;

MapResult map_with(const char* algorithm, const MapProblem& problem, const MapOptions& options) {
  return map_ranks(find_algorithm(algorithm), {problem.graph, problem.machine, options});
}

std::uint64_t value_of(const MapProblem& problem, const MapResult& result) {
  return evaluate_objective(problem.graph, problem.machine, result.mapping,
                            problem.options.objective);
}

class SearchPlan : public ::testing::Test {
 protected:
  template <class Body>
  void for_each_problem(std::uint64_t seed, const Body& body) {
    testing::for_each_problem(machines_, 1, seed, [&](const PropertyProblem& problem) {
      SCOPED_TRACE(problem.name);
      body(problem.get());
    });
  }

 private:
  TempDirectory files_;
  std::vector<std::unique_ptr<Machine>> machines_ = testing::machine_zoo(files_);
};

class Searches : public SearchPlan, public ::testing::WithParamInterface<const char*> {};

TEST_P(Searches, MoreWorkIsNeverWorse) {
  for_each_problem(21, [&](const MapProblem& problem) {
    MapOptions options = problem.options;
    options.effort = Effort::fast;
    std::uint64_t least = UINT64_MAX;
    for (std::uint64_t work = 0; work < 3'000'000; work = work * 2 + 7) {
      options.work = work;
      const MapResult result = map_with(GetParam(), problem, options);
      const std::uint64_t value = value_of(problem, result);
      ASSERT_LE(value, least) << "work " << work;
      least = value;
      if (result.stopped == Stopped::done) break;
    }
    options.work.reset();
    EXPECT_LE(value_of(problem, map_with(GetParam(), problem, options)), least);
  });
}

TEST_P(Searches, MoreEffortIsNeverWorse) {
  for_each_problem(22, [&](const MapProblem& problem) {
    MapOptions options = problem.options;
    std::uint64_t least = value_of(problem, map_with("identity", problem, options));
    for (const Effort effort : {Effort::fast, Effort::balanced, Effort::best}) {
      options.effort = effort;
      const std::uint64_t value = value_of(problem, map_with(GetParam(), problem, options));
      ASSERT_LE(value, least) << "effort " << static_cast<int>(effort);
      least = value;
    }
  });
}

/// What a step makes of the present order; nothing where it proposes nothing.
std::optional<Mapping> outcome(const Step& step, const MapProblem& problem) {
  const Mapping identity = map_with("identity", problem, problem.options).mapping;
  if (step.improve) return step.improve(problem, identity);
  const auto proposal = step.propose(problem);
  return proposal ? std::optional(proposal->mapping) : std::nullopt;
}

TEST_F(SearchPlan, EachEffortTakesThePrefixOfTheNext) {
  constexpr std::size_t compared = 3;
  const auto candidates = Candidates::own;
  for_each_problem(24, [&](const MapProblem& problem) {
    for (const auto situation :
         {Situation::no_start, Situation::some_start, Situation::near_bound}) {
      MapOptions less = problem.options;
      less.effort = Effort::fast;
      MapOptions more = problem.options;
      for (const Effort effort : {Effort::balanced, Effort::best}) {
        more.effort = effort;
        const MapProblem low{problem.graph, problem.machine, less};
        const MapProblem high{problem.graph, problem.machine, more};
        const auto prefix = planned_steps(low, candidates, situation);
        const auto steps = planned_steps(high, candidates, situation);
        ASSERT_LE(prefix.size(), steps.size());
        for (std::size_t i = 0; i < prefix.size(); ++i) {
          ASSERT_EQ(prefix[i].seconds, steps[i].seconds) << "step " << i;
          ASSERT_EQ(prefix[i].is_whole, steps[i].is_whole) << "step " << i;
          if (i < compared) {
            ASSERT_EQ(outcome(prefix[i], low), outcome(steps[i], high)) << "step " << i;
          }
        }
        less.effort = effort;
      }
      EXPECT_FALSE(
          planned_steps({problem.graph, problem.machine, more}, candidates, situation).empty());
    }
  });
}

TEST_F(SearchPlan, AutoTakesAllThatKithDoesAndThenMore) {
  for_each_problem(24, [&](const MapProblem& problem) {
    for (const Effort effort : {Effort::fast, Effort::balanced, Effort::best}) {
      MapOptions options = problem.options;
      options.effort = effort;
      const MapProblem asked{problem.graph, problem.machine, options};
      const auto own = planned_steps(asked, Candidates::own, Situation::no_start);
      const auto all = planned_steps(asked, Candidates::all, Situation::no_start);
      ASSERT_LE(own.size(), all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(i < own.size(), all[i].published == nullptr) << "step " << i;
        if (i >= own.size()) continue;
        ASSERT_EQ(own[i].seconds, all[i].seconds) << "step " << i;
      }
      ASSERT_LE(value_of(asked, map_with("auto", asked, options)),
                value_of(asked, map_with("kith", asked, options)));
    }
  });
}

// What `kith gen mesh` makes.
TEST_F(SearchPlan, AutoIsNoWorseThanKithOnAMesh) {
  const auto graph = TrafficGraph::from(to_matrix(*make_mesh(1000, 1)));
  const auto machine = parse_machine("tree:32x2x16");
  MapOptions options;
  const MapProblem problem{graph, *machine, options};
  EXPECT_LE(value_of(problem, map_with("auto", problem, options)),
            value_of(problem, map_with("kith", problem, options)));
}

TEST_P(Searches, StartCheaplyWhereTimeMayEndThem) {
  const auto candidates = GetParam() == std::string("auto") ? Candidates::all : Candidates::own;
  const auto graph = TrafficGraph::from(to_matrix(*make_geometric(1024, 5)));
  const auto machine = parse_machine("tree:8x8x16@100,10,1");
  MapOptions options;
  const auto usual = planned_steps({graph, *machine, options}, candidates, Situation::no_start);
  options.time_limit = 1000;
  const MapProblem limited{graph, *machine, options};
  const auto steps = planned_steps(limited, candidates, Situation::no_start);
  ASSERT_EQ(steps.size(), usual.size() + 2);
  EXPECT_TRUE(steps[0].improve) << "of the breadth-first order";
  EXPECT_LT(2 * (steps[0].seconds + steps[1].seconds), steps[2].seconds);
  EXPECT_EQ(steps[1].propose(limited)->how, "mutual choice");
  EXPECT_EQ(steps[2].seconds, usual[0].seconds);
}

TEST_P(Searches, DividesNoGridWhoseTilingIsNearTheBound) {
  // The boxes are 4% above the bound.
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({12, 14, 10}, 7, false, {1})));
  const auto machine = parse_machine("tree:7x15x16@100,10,1");
  MapOptions options;
  options.objective = Objective::sum_com;
  options.work = 100'000;  // for the finder and the boxes
  const MapProblem problem{graph, *machine, options};
  EXPECT_EQ(map_with(GetParam(), problem, options).stopped, Stopped::done);
  options.effort = Effort::best;
  EXPECT_EQ(map_with(GetParam(), problem, options).stopped, Stopped::work);
}

TEST_P(Searches, ThreadsChangeNothing) {
  for_each_problem(23, [&](const MapProblem& problem) {
    MapOptions options = problem.options;
    for (const std::uint64_t work : {500, 20'000, 1'000'000}) {
      options.work = work;
      options.threads = 1;
      const MapResult alone = map_with(GetParam(), problem, options);
      for (const unsigned threads : {2, 4}) {
        options.threads = threads;
        const MapResult together = map_with(GetParam(), problem, options);
        ASSERT_EQ(together.mapping, alone.mapping) << threads << " threads, work " << work;
        EXPECT_EQ(together.algorithm, alone.algorithm);
        EXPECT_EQ(together.explanation, alone.explanation);
        EXPECT_EQ(together.stopped, alone.stopped);
      }
    }
  });
}

// The whole time goes to one step, which the clock cuts short.
TEST(Search, KeepWhatTheClockCutsShort) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(2), 5);
  builder.add(Rank(1), Rank(3), 5);
  const TrafficGraph graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:2x2@10,1");
  MapOptions options;
  options.time_limit = 0.05;
  Budget budget(options);
  const MapTask problem{graph, *machine, options, &budget};
  Search search(problem, "kith");
  Step slow;
  slow.propose = [](const MapTask& part) -> std::optional<Proposal> {
    while (part.budget->spend()) continue;
    return Proposal{{{Slot(0), Slot(2), Slot(1), Slot(3)}}, "kith", "found at once"};
  };
  search.run({{slow}});
  EXPECT_EQ(budget.stopped(), Stopped::time);
  EXPECT_FALSE(search.best().is_start());
  EXPECT_LT(search.best().value(), search.best().identity_value());
  EXPECT_EQ(search.steps_done(), 0U);
}

// Loads of links are those of the directed traffic.
TEST(Search, HandsTheDirectedTrafficToEachStep) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(2), 5);
  const TrafficMatrix matrix = builder.build();
  const TrafficGraph graph = TrafficGraph::from(matrix);
  const auto machine = parse_machine("tree:2x2@10,1");
  const MapOptions options;
  const MapProblem problem{graph, *machine, options, &matrix};
  std::vector<const TrafficMatrix*> seen;
  Step proposal;
  proposal.propose = [&](const MapProblem& part) -> std::optional<Proposal> {
    seen.push_back(part.matrix);
    return std::nullopt;
  };
  Step improvement;
  improvement.improve = [&](const MapProblem& part, Mapping best) {
    seen.push_back(part.matrix);
    return best;
  };
  Search search(problem, "kith");
  search.run({{proposal, improvement}});
  EXPECT_EQ(seen, (std::vector<const TrafficMatrix*>{&matrix, &matrix}));
}

INSTANTIATE_TEST_SUITE_P(Kith, Searches, ::testing::Values("kith", "auto"));

std::string explanation(const TrafficMatrix& matrix, const char* topology, MapOptions options) {
  const auto graph = TrafficGraph::from(matrix);
  const auto machine = parse_machine(topology);
  options.objective = default_objective(*machine);
  const auto lines = map_ranks(find_algorithm("kith"), {graph, *machine, options}).explanation;
  EXPECT_EQ(lines.size(), 1U);
  return lines.empty() ? "" : lines[0];
}

TEST(Explanation, NamesTheGridItsTilingAndTheGain) {
  const auto matrix = to_matrix(*make_stencil({16, 16}, 5, false, {1}));
  EXPECT_EQ(explanation(matrix, "tree:4x4x16", {}).substr(0, 59),
            "2D 5-point stencil 16x16, non-periodic; cut into blocks of ");
  EXPECT_NE(explanation(matrix, "tree:4x4x16", {}).find("hop-bytes 0."), std::string::npos);
}

TEST(Explanation, SaysWhyThePresentOrderStays) {
  const auto machine = "tree:4x2x8@100,10,1";
  EXPECT_EQ(explanation(TrafficMatrixBuilder(64).build(), machine, {}),
            "the present order stays: no pair has any traffic");
  const auto cg = to_matrix(*make_cg(64, 1000));
  EXPECT_NE(explanation(cg, machine, {}).find("the present order stays: none of"),
            std::string::npos);
  MapOptions options;
  options.work = 0;
  EXPECT_EQ(explanation(cg, machine, options),
            "the present order stays: the work did not suffice for any other");
}

TEST(Explanation, SaysWhenNothingCanBeBetter) {
  // Pairs that sit beside each other: each pays the least that a pair can.
  TrafficMatrixBuilder pairs(4096);
  for (std::uint32_t r = 0; r < 4096; r += 2) pairs.add(Rank(r), Rank(r + 1), 10);
  EXPECT_EQ(explanation(pairs.build(), "tree:32x64x2@100,10,1", {}),
            "the present order stays: no order can be better");
}

}  // namespace
}  // namespace kith
