#include <gtest/gtest.h>

#include <set>

#include "kith/detail/generate.hpp"
#include "kith/mapper.hpp"
#include "mapping/search/search_plan.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

std::uint64_t value(const char* algorithm, const TrafficGraph& graph, const Machine& machine,
                    const MapOptions& options) {
  const auto mapping = map_ranks(find_algorithm(algorithm), {graph, machine, options}).mapping;
  return evaluate_objective(graph, machine, mapping, options.objective);
}

/// Checks `auto` against each published mapper among its steps; returns these.
std::set<std::string_view> beats_published(const TrafficGraph& graph, const Machine& machine,
                                           const MapOptions& options) {
  std::set<std::string_view> run;
  const auto chosen = value("auto", graph, machine, options);
  EXPECT_LE(chosen, value("identity", graph, machine, options));
  for (const Step& step :
       planned_steps({graph, machine, options}, Candidates::all, Situation::no_start)) {
    if (step.published == nullptr) continue;
    const std::string name(step.published->name());
    run.insert(step.published->name());
    EXPECT_LE(chosen, value(name.c_str(), graph, machine, options)) << name;
    if (options.effort == Effort::balanced) {  // of few ranks: the swaps come to their end
      EXPECT_LE(chosen, value((name + "+refine").c_str(), graph, machine, options)) << name;
    }
  }
  return run;
}

TEST(Auto, IsNeverWorseThanThePublishedMappersThatItRuns) {
  std::mt19937_64 random(61);
  const auto torus = parse_machine("torus:4x3x5");
  std::set<std::string_view> run_on_trees;
  std::set<std::string_view> run_on_torus;
  for (int round = 0; round < 40; ++round) {
    const auto tree = testing::random_symmetric_tree(random, 64);
    const bool is_tree = round % 3 != 0;
    const Machine& machine = is_tree ? *tree : *torus;
    MapOptions options;
    options.objective = default_objective(machine);
    const auto graph = TrafficGraph::from(testing::random_matrix(random, machine.slots(), 0.1, 50));
    for (const Effort effort : {Effort::fast, Effort::balanced}) {
      options.effort = effort;
      const auto run = beats_published(graph, machine, options);
      if (effort == Effort::fast) continue;
      (is_tree ? run_on_trees : run_on_torus).insert(run.begin(), run.end());
    }
  }
  const std::set<std::string_view> all = {"choicemap", "eagermap", "identity", "mpipp",
                                          "scotch",    "topolb",   "treematch"};
  EXPECT_EQ(run_on_trees, all);
  auto others = all;
  others.erase("topolb");  // a start of Kith's own there
  EXPECT_EQ(run_on_torus, others);
}

TEST(Auto, IsNeverWorseThanIdentityOnAnyMachine) {
  std::mt19937_64 random(62);
  for (int round = 0; round < 100; ++round) {
    const auto tree = testing::random_unequal_tree(random);
    const testing::PlainMachine plain(*tree);
    const Machine& machine = round % 2 == 0 ? static_cast<const Machine&>(*tree) : plain;
    const auto ranks = static_cast<std::uint32_t>(1 + random() % tree->slots());
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.2, 50));
    ASSERT_LE(value("auto", graph, machine, {}), value("identity", graph, machine, {}));
  }
}

TEST(Auto, KeepsWhatIsOptimal) {
  // A pattern that fits the machine as it is: nothing can be gained, nothing is moved.
  const auto graph = TrafficGraph::from(to_matrix(*make_cg(64, 1000)));
  const auto machine = parse_machine("tree:4x2x8@100,10,1");
  MapOptions options;
  options.objective = Objective::sum_com;
  EXPECT_EQ(map_ranks(find_algorithm("auto"), {graph, *machine, options}).algorithm, "identity");
}

TEST(Auto, AnswersWithinNoTimeAtAll) {
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({64, 64}, 5, false, {1})));
  const auto machine = parse_machine("tree:16x16x16");
  MapOptions options;
  options.time_limit = 0;
  const auto result = map_ranks(find_algorithm("auto"), {graph, *machine, options});
  EXPECT_EQ(result.stopped, Stopped::time);
  // A first order that takes no search is better than the identity's rows of the grid.
  EXPECT_EQ(result.algorithm, "kith");
  const auto value = [&](const Mapping& mapping) {
    return evaluate_objective(graph, *machine, mapping, options.objective);
  };
  EXPECT_LT(value(result.mapping), value(identity_mapping(4096, *machine, 1)));
}

}  // namespace
}  // namespace kith
