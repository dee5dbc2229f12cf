// Every kind of machine: its distances are those of the graph that its definition describes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/machine/model/network_graphs.hpp"

namespace kith {
namespace {

using testing::dragonfly_graph;
using testing::Extents;
using testing::fattree_graph;
using testing::grid_graph;
using testing::tree_graph;

/// Symmetric, 0 on one slot only, no way over a third slot is shorter.
void expect_metric(const Machine& machine, std::uint64_t (Machine::*distance)(Slot, Slot) const) {
  const std::uint32_t n = machine.slots();
  std::vector<std::uint64_t> table;
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < n; ++b) table.push_back((machine.*distance)(Slot(a), Slot(b)));
  }
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < n; ++b) {
      ASSERT_EQ(table[a * n + b], table[b * n + a]) << a << " " << b;
      ASSERT_EQ(table[a * n + b] == 0, a == b) << a << " " << b;
      for (std::uint32_t c = 0; c < n; ++c) {
        ASSERT_LE(table[a * n + c], table[a * n + b] + table[b * n + c])
            << a << " " << b << " " << c;
      }
    }
  }
}

/// `slots_per_node`: slots of a node are consecutive.
void expect_like_graph(const std::string& spec, const NetworkGraph& graph,
                       std::uint32_t slots_per_node) {
  SCOPED_TRACE(spec);
  const auto machine = parse_machine(spec);
  const GraphNetwork search(graph, spec);
  ASSERT_EQ(machine->slots(), graph.nodes);
  ASSERT_EQ(machine->nodes(), graph.nodes / slots_per_node);
  ASSERT_EQ(machine->has_costs(), graph.lengths_are_costs);
  ASSERT_EQ(machine->cost_scale(), graph.cost_scale);
  std::uint64_t lowest = UINT64_MAX;
  for (std::uint32_t a = 0; a < graph.nodes; ++a) {
    ASSERT_EQ(machine->node_of(Slot(a)), a / slots_per_node);
    for (std::uint32_t b = 0; b < graph.nodes; ++b) {
      ASSERT_EQ(machine->hops(Slot(a), Slot(b)), search.hops(a, b)) << a << " " << b;
      ASSERT_EQ(machine->cost(Slot(a), Slot(b)), search.cost(a, b)) << a << " " << b;
      if (a != b) lowest = std::min(lowest, search.cost(a, b));
    }
  }
  if (graph.nodes > 1) {
    ASSERT_EQ(machine->lowest_cost(), lowest);
  }
  expect_metric(*machine, &Machine::hops);
  expect_metric(*machine, &Machine::cost);
}

std::string joined(const Extents& extents, char separator = 'x') {
  std::string text;
  for (const auto extent : extents) {
    if (!text.empty()) text += separator;
    text += std::to_string(extent);
  }
  return text;
}

/// No tree in the nodes, and two kinds of trees.
const std::vector<Extents> node_trees{{}, {3}, {2, 2}};

std::string suffix(const Extents& node_tree) {
  return node_tree.empty() ? std::string() : std::string("/").append(joined(node_tree));
}

TEST(Distances, OfTrees) {
  for (const Extents& arities :
       std::vector<Extents>{{2}, {7}, {2, 3, 2}, {4, 1, 3}, {2, 2, 2, 2}}) {
    const NetworkGraph graph = tree_graph(arities);
    expect_like_graph("tree:" + joined(arities), graph, graph.nodes / arities[0]);
  }
}

TEST(Distances, OfTreesWrittenOut) {
  // (5,2,(...)) by hand: three objects of 5, 2 and 4 slots.
  testing::GraphBuilder flat(11);
  const std::uint32_t root = flat.add_router();
  std::uint32_t first = 0;
  for (const std::uint32_t slots : {5, 2, 4}) {
    const std::uint32_t object = flat.add_router();
    flat.join(root, object);
    for (std::uint32_t i = 0; i < slots; ++i) flat.join(object, first++);
  }
  const NetworkGraph graph = flat.take();
  const GraphNetwork search(graph, "test");
  const auto machine = parse_machine("tree:(5,2,4)");
  ASSERT_EQ(machine->slots(), 11U);
  EXPECT_EQ(machine->nodes(), 3U);
  for (std::uint32_t a = 0; a < 11; ++a) {
    EXPECT_EQ(machine->node_of(Slot(a)), a < 5 ? 0U : a < 7 ? 1U : 2U);
    for (std::uint32_t b = 0; b < 11; ++b) {
      ASSERT_EQ(machine->hops(Slot(a), Slot(b)), search.hops(a, b)) << a << " " << b;
    }
  }
  expect_metric(*machine, &Machine::hops);
  // Costs that fall towards the slots.
  expect_metric(*parse_machine("tree:((3,1),2*(2,2))@7.5,2,0.5"), &Machine::cost);
  expect_like_graph("tree:(3*(2,2))", tree_graph({3, 2, 2}), 4);
}

TEST(Distances, OfGrids) {
  for (const Extents& extents :
       std::vector<Extents>{{1}, {2}, {9}, {4, 4}, {3, 5}, {1, 4, 1}, {2, 3, 4}, {3, 3, 2, 2}}) {
    for (const Extents& tree : node_trees) {
      const std::uint32_t per_node = testing::product(tree);
      expect_like_graph("torus:" + joined(extents) + suffix(tree), grid_graph(extents, true, tree),
                        per_node);
      expect_like_graph("mesh:" + joined(extents) + suffix(tree), grid_graph(extents, false, tree),
                        per_node);
    }
  }
  for (const std::uint32_t dimension : {1, 2, 5}) {
    for (const Extents& tree : node_trees) {
      expect_like_graph("hypercube:" + std::to_string(dimension) + suffix(tree),
                        grid_graph(Extents(dimension, 2), false, tree), testing::product(tree));
    }
  }
}

TEST(Distances, OfFatTrees) {
  for (const Extents& shape : std::vector<Extents>{{2, 1}, {2, 3}, {3, 2}, {3, 3}, {5, 1}}) {
    for (const Extents& tree : node_trees) {
      const std::string spec = "fattree:" + joined(shape, ',');
      expect_like_graph(spec + suffix(tree), fattree_graph(shape[0], shape[1], tree, {1, 1, 1}),
                        testing::product(tree));
      expect_like_graph(spec + ",1.0" + suffix(tree),
                        fattree_graph(shape[0], shape[1], tree, {1, 1, 1}), testing::product(tree));
    }
  }
}

TEST(Distances, OfTaperedFatTrees) {
  NetworkGraph whole = fattree_graph(3, 3, {}, {1, 2, 4});
  whole.lengths_are_costs = true;
  expect_like_graph("fattree:3,3,2", whole, 1);
  // 1, 1.5, 2.25 in hundredths.
  NetworkGraph decimal = fattree_graph(2, 3, {}, {100, 150, 225});
  decimal.lengths_are_costs = true;
  decimal.cost_scale = 100;
  expect_like_graph("fattree:2,3,1.50", decimal, 1);
  // In the nodes a link costs 1, which is 10 tenths.
  NetworkGraph with_tree = fattree_graph(2, 2, {2, 2}, {10, 25});
  for (auto& edge : with_tree.edges) {
    if (edge.length == 1) edge.length = 10;
  }
  with_tree.lengths_are_costs = true;
  with_tree.cost_scale = 10;
  expect_like_graph("fattree:2,2,2.5/2x2", with_tree, 4);
}

TEST(Distances, OfDragonflies) {
  for (const Extents& shape : std::vector<Extents>{{1, 1, 3},
                                                   {1, 4, 2},
                                                   {2, 1, 1},
                                                   {2, 3, 1},
                                                   {5, 1, 2},
                                                   {9, 4, 1},
                                                   {7, 3, 1},
                                                   {6, 2, 2},
                                                   {4, 5, 1},
                                                   {8, 3, 1},
                                                   {11, 2, 1}}) {
    const std::string spec = "dragonfly:" + joined(shape, ',');
    const auto graph = [&](bool palmtree, const Extents& tree) {
      return dragonfly_graph(shape[0], shape[1], shape[2], palmtree, tree);
    };
    expect_like_graph(spec, graph(true, {}), 1);
    expect_like_graph(spec + ",palmtree", graph(true, {}), 1);
    expect_like_graph(spec + ",absolute", graph(false, {}), 1);
    expect_like_graph(spec + ",absolute/2", graph(false, {2}), 2);
  }
}

// Larger ones than all pairs and triangles allow.
TEST(Distances, OfLargerDragonflies) {
  std::mt19937_64 random(3);
  for (const bool palmtree : {true, false}) {
    const auto machine = parse_machine(palmtree ? "dragonfly:33,4,2" : "dragonfly:33,4,2,absolute");
    const GraphNetwork search(dragonfly_graph(33, 4, 2, palmtree, {}), "test");
    for (int i = 0; i < 20000; ++i) {
      const auto a = static_cast<std::uint32_t>(random() % 264);
      const auto b = static_cast<std::uint32_t>(random() % 264);
      ASSERT_EQ(machine->hops(Slot(a), Slot(b)), search.hops(a, b)) << a << " " << b;
    }
  }
}

TEST(Distances, DoNotDependOnTheSlotsThatAreLeft) {
  for (const char* spec : {"tree:3x4", "tree:(4,1,4)", "torus:3x4", "mesh:2x3/2", "hypercube:3",
                           "fattree:3,2,2", "dragonfly:4,2,2"}) {
    const auto whole = parse_machine(spec);
    const auto part = parse_machine(std::string(spec) + ";slots=1-2,5,7");
    EXPECT_EQ(part->slots(), whole->slots());
    EXPECT_EQ(part->allowed().size(), 4U);
    EXPECT_EQ(part->nodes(), whole->nodes());
    for (std::uint32_t a = 0; a < whole->slots(); ++a) {
      EXPECT_EQ(part->node_of(Slot(a)), whole->node_of(Slot(a)));
      for (std::uint32_t b = 0; b < whole->slots(); ++b) {
        ASSERT_EQ(part->hops(Slot(a), Slot(b)), whole->hops(Slot(a), Slot(b)));
        ASSERT_EQ(part->cost(Slot(a), Slot(b)), whole->cost(Slot(a), Slot(b)));
      }
    }
  }
}

TEST(Distances, NearestNodesAreNear) {
  std::vector<std::uint32_t> near;
  for (const char* spec : {"torus:4x5", "mesh:4x5", "hypercube:4", "dragonfly:5,2,2"}) {
    const auto machine = parse_machine(spec);
    const Network& network = machine->as_network()->network();
    for (std::uint32_t node = 0; node < network.nodes(); ++node) {
      network.nearest(node, 4, near);
      ASSERT_FALSE(near.empty()) << spec;
      ASSERT_LE(near.size(), 4U);
      for (const std::uint32_t other : near) {
        ASSERT_LT(other, network.nodes());
        ASSERT_NE(other, node) << spec;
        if (network.as_grid() != nullptr) {
          ASSERT_EQ(network.hops(node, other), 1U) << spec;
        }
      }
      std::ranges::sort(near);
      ASSERT_EQ(std::ranges::adjacent_find(near), near.end()) << spec;
    }
  }
}

}  // namespace
}  // namespace kith
