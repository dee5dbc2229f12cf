#include "mapping/slot_tree.hpp"

#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"
#include "kith/detail/tree_machine.hpp"

namespace kith {
namespace {

TrafficGraph graph_of(const std::unique_ptr<Pattern>& pattern) {
  return TrafficGraph::from(to_matrix(*pattern));
}

TEST(DragonflyTree, IsOfDragonfliesAlone) {
  const TrafficGraph graph = graph_of(make_alltoall(4, 1));
  const MapOptions options;
  for (const char* spec : {"torus:4x4/2", "tree:4x4", "dragonfly:1,1,1"}) {
    const auto machine = parse_machine(spec);
    EXPECT_FALSE(DragonflyTree::of({graph, *machine, options})) << spec;
  }
}

TEST(DragonflyTree, KeepsTheSlotsAndWhatTheyAreApart) {
  const TrafficGraph graph = graph_of(make_alltoall(4, 1));
  MapOptions options;
  options.fixed = {{Rank(0), Slot(3)}};
  struct Case {
    const char* spec;
    bool has_groups;
  };
  for (const auto [spec, has_groups] :
       {Case{"dragonfly:5,4,2/2x3;slots=0-11,40-99", true}, Case{"dragonfly:9,4,1", true},
        Case{"dragonfly:1,3,2/4", false}}) {
    const auto machine = parse_machine(spec);
    const auto tree = DragonflyTree::of({graph, *machine, options});
    ASSERT_TRUE(tree) << spec;
    const MapProblem problem = tree->problem();
    EXPECT_TRUE(problem.options.fixed.empty());
    EXPECT_EQ(problem.options.objective, Objective::sum_com);
    ASSERT_EQ(problem.machine.allowed().to_vector(), machine->allowed().to_vector()) << spec;
    const std::uint64_t scale = problem.machine.cost_scale();
    for (const Slot a : machine->allowed().to_vector()) {
      for (const Slot b : machine->allowed().to_vector()) {
        const std::uint64_t cost = problem.machine.cost(a, b);
        if (has_groups && problem.machine.as_tree()->meeting(a, b) == 0) {
          // Two groups, 3 to 5 links apart and what the nodes' trees add.
          EXPECT_LE(cost, scale * (machine->hops(a, b) + 2)) << spec;
          EXPECT_GE(cost + 2 * scale, scale * machine->hops(a, b)) << spec;
        } else {
          EXPECT_EQ(cost, scale * machine->hops(a, b)) << spec << a.value << ' ' << b.value;
        }
      }
    }
  }
}

// 8 groups of 4 routers of 2 nodes of 4 slots take 8x8x4 ranks as boxes of boxes: 4x4x2, 2x2x2 and
// 2x2x1. Every router of a group is one link from the others, every group near all others.
TEST(DragonflyTree, GivesGridsTheBoxesOfGroupsRoutersAndNodes) {
  const auto machine = parse_machine("dragonfly:8,4,2/4");
  const TrafficGraph graph = graph_of(make_permuted(make_stencil({8, 8, 4}, 7, false, {1}), 7));
  MapOptions options;
  options.effort = Effort::fast;
  const MapResult result = map_ranks(find_algorithm("kith"), {graph, *machine, options});
  std::uint64_t between_groups = 0;
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    for (const Rank to : graph.neighbours(Rank(r))) {
      const auto group = [&](Rank rank) { return result.mapping[rank].value / 32; };
      between_groups += group(Rank(r)) != group(to) ? 1 : 0;
    }
  }
  // Cuts of the grid by 2 x 2 x 2 boxes: (8*4 + 8*4 + 8*8) pairs, both ways.
  EXPECT_LE(between_groups, 2U * (8 * 4 + 8 * 4 + 8 * 8));
}

}  // namespace
}  // namespace kith
