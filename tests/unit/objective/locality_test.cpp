#include "objective/link_load.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "kith/detail/network_machine.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

Mapping identity(std::uint32_t ranks) {
  Mapping mapping;
  for (std::uint32_t r = 0; r < ranks; ++r) mapping.slot_of.emplace_back(r);
  return mapping;
}

/// From the definition: a table of all pairs of the nodes that hold ranks.
NumaBytes by_definition(const TrafficMatrix& matrix, const std::vector<std::uint64_t>& node_of) {
  const std::set<std::uint64_t> nodes(node_of.begin(), node_of.end());
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> table;
  for (const std::uint64_t a : nodes) {
    for (const std::uint64_t b : nodes) {
      if (a < b) table[{a, b}] = 0;
    }
  }
  for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
    for (std::uint32_t j = 0; j < matrix.ranks(); ++j) {
      if (node_of[i] == node_of[j]) continue;
      table[std::minmax(node_of[i], node_of[j])] += matrix.at(Rank(i), Rank(j));
    }
  }
  NumaBytes bytes;
  if (table.empty()) return bytes;
  bytes.min = UINT64_MAX;
  for (const auto& [pair, here] : table) {
    bytes.sum += here;
    bytes.max = std::max(bytes.max, here);
    bytes.min = std::min(bytes.min, here);
  }
  bytes.average = static_cast<double>(bytes.sum) / static_cast<double>(table.size());
  return bytes;
}

/// Equation 6.1 for a group of any size, summed over the groups.
std::uint64_t reduction_by_definition(const TrafficMatrix& matrix,
                                      const std::vector<std::uint64_t>& group_of) {
  const auto c = [&](std::uint32_t i, std::uint32_t j) {
    return i == j ? 0 : matrix.at(Rank(i), Rank(j)) + matrix.at(Rank(j), Rank(i));
  };
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
    for (std::uint32_t t = 0; t < matrix.ranks(); ++t) {
      sum += c(i, t);
      if (group_of[i] == group_of[t]) sum -= c(i, t);
    }
  }
  return sum;
}

TEST(Locality, AgreesWithTheDefinitionsOnTrees) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 300; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 40)
                                     : testing::random_unequal_tree(random);
    const auto ranks = static_cast<std::uint32_t>(1 + random() % (2 * tree->slots()));
    const auto matrix = testing::random_matrix(random, ranks, round % 3 == 0 ? 0.02 : 0.3, 50);
    const auto graph = TrafficGraph::from(matrix);
    const auto mapping = testing::random_mapping(random, ranks, *tree, 2);
    std::vector<std::uint64_t> node_of;
    std::vector<std::uint64_t> group_of;
    unsigned shared = tree->depth();
    while (shared > 0 && tree->objects(shared) == tree->slots()) --shared;
    for (const Slot slot : mapping.slot_of) {
      node_of.push_back(tree->node_of(slot));
      group_of.push_back(tree->ancestor(tree->leaf_of_slot(slot), shared));
    }
    const NumaBytes expected = by_definition(matrix, node_of);
    const NumaBytes found = numa_bytes(graph, *tree, mapping);
    ASSERT_EQ(found.level, "node");
    ASSERT_EQ(found.sum, expected.sum);
    ASSERT_DOUBLE_EQ(found.average, expected.average);
    ASSERT_EQ(found.max, expected.max);
    ASSERT_EQ(found.min, expected.min);
    if (tree->slots() == 1) continue;
    ASSERT_EQ(reduction_value(graph, *tree, mapping), reduction_by_definition(matrix, group_of));
  }
}

TEST(Locality, AgreesWithTheDefinitionsOnNodesWithTrees) {
  std::mt19937_64 random(22);
  const auto machine = parse_machine("torus:3x2/2x2x1");
  for (int round = 0; round < 50; ++round) {
    const auto ranks = static_cast<std::uint32_t>(1 + random() % 24);
    const auto matrix = testing::random_matrix(random, ranks, 0.2, 50);
    const auto graph = TrafficGraph::from(matrix);
    const auto mapping = testing::random_mapping(random, ranks, *machine, 1);
    std::vector<std::uint64_t> node_of;
    std::vector<std::uint64_t> pair_of;
    for (const Slot slot : mapping.slot_of) {
      node_of.push_back(slot.value / 4);
      pair_of.push_back(slot.value / 2);
    }
    ASSERT_EQ(numa_bytes(graph, *machine, mapping).sum, by_definition(matrix, node_of).sum);
    ASSERT_EQ(numa_bytes(graph, *machine, mapping).min, by_definition(matrix, node_of).min);
    ASSERT_EQ(reduction_value(graph, *machine, mapping), reduction_by_definition(matrix, pair_of));
  }
}

TEST(Locality, NumaNodesAreThoseOfTheTreeThatSaysSo) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 3);
  builder.add(Rank(0), Rank(2), 5);
  builder.add(Rank(1), Rank(3), 7);
  const auto graph = TrafficGraph::from(builder.build());
  struct Case {
    const char* spec;
    const char* level;
    std::uint64_t sum;
  };
  for (const Case& c : {Case{"hwloc:package:2 core:2 pu:1", "package", 12},
                        Case{"hwloc:package:2 numa:2 core:2 pu:1", "numa", 12},
                        Case{"tree:2x2", "node", 12}, Case{"torus:4", "node", 15},
                        Case{"torus:2/2", "node", 12}, Case{"dragonfly:4,1,1", "node", 15}}) {
    const auto machine = parse_machine(c.spec);
    const NumaBytes bytes = numa_bytes(graph, *machine, identity(4));
    EXPECT_EQ(bytes.level, c.level) << c.spec;
    EXPECT_EQ(bytes.sum, c.sum) << c.spec;
  }
}

TEST(Locality, SlotsThatShareNothingHaveNoReductionValue) {
  TrafficMatrixBuilder builder(2);
  builder.add(Rank(0), Rank(1), 3);
  const auto graph = TrafficGraph::from(builder.build());
  for (const char* spec : {"torus:4", "torus:4/1", "dragonfly:4,1,1"}) {
    EXPECT_EQ(reduction_value(graph, *parse_machine(spec), identity(2)), std::nullopt) << spec;
  }
  EXPECT_EQ(reduction_value(graph, *parse_machine("tree:4"), identity(2)), 0U);
  EXPECT_EQ(reduction_value(graph, *parse_machine("tree:4x1"), identity(2)), 0U);
  EXPECT_EQ(numa_bytes(TrafficGraph(), *parse_machine("tree:4"), {}).sum, 0U);
}

}  // namespace
}  // namespace kith
