#include "mapping/multilevel/multilevel.hpp"

#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"

namespace kith {
namespace {

TrafficGraph stencil() {
  return TrafficGraph::from(to_matrix(*make_permuted(make_stencil({8, 8}, 5, false, {1}), 3)));
}

TEST(MachineBisection, GivesUpWhereTheBudgetDoesNotLast) {
  const auto machine = parse_machine("torus:4x4x4");
  const TrafficGraph graph = stencil();
  MapOptions options;
  const MapProblem problem{graph, *machine, options};
  const auto unlimited = multilevel::bisect_machine(problem, {}, 1, nullptr);
  ASSERT_TRUE(unlimited);

  options.work = 1'000'000;
  Budget enough(options);
  const auto answer = multilevel::bisect_machine(problem, {}, 1, &enough);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->slot_of, unlimited->slot_of);
  EXPECT_GT(enough.spent(), graph.edges());

  options.work = graph.edges();
  Budget too_small(options);
  EXPECT_FALSE(multilevel::bisect_machine(problem, {}, 1, &too_small));
  EXPECT_EQ(too_small.stopped(), Stopped::work);
}

}  // namespace
}  // namespace kith
