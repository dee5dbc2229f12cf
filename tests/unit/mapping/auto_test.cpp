#include <gtest/gtest.h>

#include <map>
#include <set>

#include "kith/generate.hpp"
#include "kith/mapper.hpp"
#include "mapping/portfolio/trajectory.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

std::uint64_t value(const char* algorithm, const TrafficGraph& graph, const Machine& machine,
                    const MapOptions& options) {
  const auto mapping = map_ranks(find_algorithm(algorithm), {graph, machine, options}).mapping;
  return evaluate_objective(graph, machine, mapping, options.objective);
}

TEST(Auto, IsNeverWorseThanThePublishedMappersThatItRuns) {
  std::mt19937_64 random(61);
  std::map<Effort, std::set<std::string_view>> run;
  for (int round = 0; round < 60; ++round) {
    const auto tree = testing::random_symmetric_tree(random, 64);
    MapOptions options;
    options.objective = default_objective(*tree);
    const auto graph = TrafficGraph::from(testing::random_matrix(random, tree->slots(), 0.1, 50));
    for (const Effort effort : {Effort::fast, Effort::balanced}) {
      options.effort = effort;
      const auto chosen = value("auto", graph, *tree, options);
      ASSERT_LE(chosen, value("identity", graph, *tree, options));
      for (const Step& step :
           planned_steps({graph, *tree, options}, Candidates::all, Situation::no_start)) {
        if (step.published == nullptr) continue;
        const std::string name(step.published->name());
        run[effort].insert(step.published->name());
        ASSERT_LE(chosen, value(name.c_str(), graph, *tree, options)) << name;
        if (effort == Effort::balanced) {  // of few ranks: the swaps come to their end
          ASSERT_LE(chosen, value((name + "+refine").c_str(), graph, *tree, options)) << name;
        }
      }
    }
  }
  EXPECT_EQ(run[Effort::balanced],
            (std::set<std::string_view>{"choicemap", "eagermap", "scotch", "topolb", "treematch"}));
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
  EXPECT_EQ(result.algorithm, "identity");
  EXPECT_EQ(result.stopped, Stopped::time);
}

}  // namespace
}  // namespace kith
