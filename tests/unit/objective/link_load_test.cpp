#include "objective/link_load.hpp"

#include <gtest/gtest.h>

#include <map>

#include "kith/detail/network_machine.hpp"
#include "kith/objective.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

TrafficMatrix matrix_of(std::uint32_t ranks, const std::vector<TrafficEntry>& entries) {
  TrafficMatrixBuilder builder(ranks);
  for (const TrafficEntry& e : entries) builder.add(e.source, e.destination, e.weight);
  return builder.build();
}

Mapping identity(std::uint32_t ranks) {
  Mapping mapping;
  for (std::uint32_t r = 0; r < ranks; ++r) mapping.slot_of.emplace_back(r);
  return mapping;
}

std::optional<std::uint64_t> load(const TrafficMatrix& matrix, const std::string& spec) {
  return max_link_load(matrix, *parse_machine(spec), identity(matrix.ranks()));
}

TEST(LinkLoad, GoesTheFirstDimensionFirst) {
  // On 3 x 3 both go through (1, 0): 0 = (0, 0) -> (1, 0) -> (1, 1), and (1, 0) -> (1, 1) itself.
  const auto through = matrix_of(9, {{Rank(0), Rank(4), 5}, {Rank(3), Rank(4), 3}});
  EXPECT_EQ(load(through, "mesh:3x3"), 8U);
  // The other way round they would meet at (0, 1).
  const auto apart = matrix_of(9, {{Rank(0), Rank(4), 5}, {Rank(1), Rank(4), 3}});
  EXPECT_EQ(load(apart, "mesh:3x3"), 5U);
}

TEST(LinkLoad, GoesTheShorterWayAroundATorus) {
  // 0 -> 4 goes down over the end; 4 -> 3 goes down after it.
  const auto down = matrix_of(5, {{Rank(0), Rank(4), 5}, {Rank(0), Rank(3), 2}});
  EXPECT_EQ(load(down, "torus:5"), 7U);
  const auto both = matrix_of(5, {{Rank(0), Rank(4), 5}, {Rank(0), Rank(2), 2}});
  EXPECT_EQ(load(both, "torus:5"), 5U);
  EXPECT_EQ(load(both, "mesh:5"), 7U);
  // Half way round: up, from 3 over the end.
  const auto tie = matrix_of(4, {{Rank(3), Rank(1), 5}, {Rank(3), Rank(0), 2}});
  EXPECT_EQ(load(tie, "torus:4"), 7U);
  // Each direction is a link of its own.
  const auto back = matrix_of(3, {{Rank(0), Rank(1), 5}, {Rank(1), Rank(0), 4}});
  EXPECT_EQ(load(back, "torus:3"), 5U);
}

TEST(LinkLoad, CountsTheLinksInTheNodes) {
  // Slots 0 1 | 2 3: all that leaves node 0 shares its port, and comes from slots with 4 and 5.
  const auto matrix = matrix_of(4, {{Rank(0), Rank(2), 4}, {Rank(1), Rank(3), 5}});
  EXPECT_EQ(load(matrix, "torus:2/2"), 9U);
  // Around the ring of 3 to both sides, so that the port alone carries both.
  const auto spread = matrix_of(6, {{Rank(0), Rank(2), 4}, {Rank(1), Rank(4), 5}});
  EXPECT_EQ(load(spread, "torus:3/2"), 9U);
  EXPECT_EQ(load(spread, "torus:6"), 4U + 5U);  // 0 -> 2 and 1 -> 4 up, both over 1 -> 2
  const auto inside = matrix_of(2, {{Rank(0), Rank(1), 7}});
  EXPECT_EQ(load(inside, "mesh:3/2"), 7U);
}

TEST(LinkLoad, SpreadsOverTheParallelLinksOfFatTrees) {
  // All 4 nodes of the left half send 10 to the right half.
  std::vector<TrafficEntry> entries;
  for (std::uint32_t r = 0; r < 4; ++r) entries.push_back({Rank(r), Rank(r + 4), 10});
  const auto across = matrix_of(8, entries);
  EXPECT_EQ(load(across, "tree:2x2x2"), 40U);
  EXPECT_EQ(load(across, "fattree:2,3"), 10U);    // 40 over 4 links
  EXPECT_EQ(load(across, "fattree:2,3,2"), 40U);  // over 4 / 2^2 = 1
  // 4 / 1.5^2 links: 40 x 2.25 / 4 = 22.5 on one.
  EXPECT_EQ(load(across, "fattree:2,3,1.5"), 23U);
  EXPECT_EQ(load(across, "fattree:2,2/2"), 20U);  // 40 over 2; each node sends 20
}

TEST(LinkLoad, IsNotKnownWhereWaysAreNot) {
  const auto matrix = matrix_of(4, {{Rank(0), Rank(1), 1}});
  EXPECT_EQ(load(matrix, "dragonfly:4,1,1"), std::nullopt);
  EXPECT_EQ(load(matrix, "dragonfly:4,1,1/2"), std::nullopt);
}

TEST(LinkLoad, OfNobodyIsNothing) {
  EXPECT_EQ(load(matrix_of(0, {}), "torus:3x3/2"), 0U);
  EXPECT_EQ(load(matrix_of(0, {}), "tree:3"), 0U);
}

TEST(LinkLoad, NeedsNoMemoryForLinksThatNobodyUses) {
  // 2^31 nodes, and a ring of 4 x 10^9.
  const auto matrix = matrix_of(3, {{Rank(0), Rank(1), 5}, {Rank(0), Rank(2), 3}});
  const Mapping far{{Slot(0), Slot(0x7fffffff), Slot(0x70000000)}};
  EXPECT_EQ(max_link_load(matrix, *parse_machine("hypercube:31"), far), 8U);
  EXPECT_EQ(max_link_load(matrix, *parse_machine("torus:4294967295"), far), 8U);
  EXPECT_EQ(max_link_load(matrix, *parse_machine("torus:1000000x4000/1"), far), 8U);
}

struct Loads {
  std::uint64_t most = 0;
  std::uint64_t all = 0;   ///< summed over the links
  std::uint64_t used = 0;  ///< links that carry something
};

/// Every message step by step.
Loads by_definition(const TrafficMatrix& matrix, const NetworkMachine& machine,
                    const Mapping& mapping) {
  const GridNetwork& grid = *machine.network().as_grid();
  // A link inside a node by level, object and direction; between nodes by both ends.
  std::map<std::vector<std::uint64_t>, std::uint64_t> links;
  const auto leave = [&](Slot slot, unsigned above, bool down, Weight weight) {
    const TreeMachine* tree = machine.node_tree();
    if (tree == nullptr) return;
    const std::uint64_t node = machine.node_of(slot);
    const std::uint64_t leaf = slot.value - node * tree->slots();
    for (unsigned level = tree->depth(); level > above; --level) {
      links[{level, node, tree->ancestor(leaf, level), down}] += weight;
    }
  };
  for (Rank a(0); a.value < matrix.ranks(); ++a) {
    for (std::size_t i = 0; i < matrix.destinations(a).size(); ++i) {
      const Rank b = matrix.destinations(a)[i];
      const Weight weight = matrix.weights(a)[i];
      const auto from = static_cast<std::uint32_t>(machine.node_of(mapping[a]));
      const auto to = static_cast<std::uint32_t>(machine.node_of(mapping[b]));
      if (from == to) {
        if (mapping[a] == mapping[b]) continue;
        const TreeMachine& tree = *machine.node_tree();
        const std::uint32_t first = from * tree.slots();
        const unsigned top =
            tree.meeting(Slot(mapping[a].value - first), Slot(mapping[b].value - first));
        leave(mapping[a], top, false, weight);
        leave(mapping[b], top, true, weight);
        continue;
      }
      leave(mapping[a], 0, false, weight);
      leave(mapping[b], 0, true, weight);
      if (machine.node_tree() != nullptr) {
        links[{100, from, 0}] += weight;
        links[{100, to, 1}] += weight;
      }
      auto at = grid.coordinates(from);
      const auto end = grid.coordinates(to);
      for (std::uint32_t d = 0; d < at.size(); ++d) {
        const std::uint32_t extent = grid.extents()[d];
        const std::uint32_t upwards = (end[d] + extent - at[d]) % extent;
        const bool up = grid.periodic() ? 2 * upwards <= extent : end[d] > at[d];
        while (at[d] != end[d]) {
          links[{200, grid.node_at(at), d, up}] += weight;
          at[d] = (at[d] + (up ? 1 : extent - 1)) % extent;
        }
      }
    }
  }
  Loads loads;
  for (const auto& [link, weight] : links) {
    loads.most = std::max(loads.most, weight);
    loads.all += weight;
    ++loads.used;
  }
  return loads;
}

TEST(LinkLoad, AgreesWithEveryMessageStepByStep) {
  std::mt19937_64 random(12);
  for (const char* spec : {"torus:7", "torus:6", "torus:4x5", "torus:3x2x4", "torus:1x6", "mesh:7",
                           "mesh:4x5", "mesh:2x3x4", "hypercube:5", "torus:4x3/2x2", "mesh:3x3/4",
                           "torus:3x3/1", "torus:2x2x2x2"}) {
    SCOPED_TRACE(spec);
    const auto machine = parse_machine(spec);
    for (int round = 0; round < 20; ++round) {
      const auto capacity = static_cast<std::uint32_t>(1 + random() % 2);
      const auto ranks = static_cast<std::uint32_t>(1 + random() % (capacity * machine->slots()));
      const auto matrix = testing::random_matrix(random, ranks, 0.3, 50);
      const auto mapping = testing::random_mapping(random, ranks, *machine, capacity);
      const Loads expected = by_definition(matrix, *machine->as_network(), mapping);
      ASSERT_EQ(max_link_load(matrix, *machine, mapping), expected.most);
      const auto graph = TrafficGraph::from(matrix);
      const auto hop_bytes = evaluate_objective(graph, *machine, mapping, Objective::hop_bytes);
      const double links = *count_links(*machine);
      ASSERT_DOUBLE_EQ(*average_link_load(graph, *machine, mapping, hop_bytes) * links,
                       static_cast<double>(expected.all));
    }
    // Where all talk to all, messages take every link there is.
    const std::uint32_t slots = machine->slots();
    const auto all = testing::random_matrix(random, slots, 1, 1);
    const Loads everywhere = by_definition(all, *machine->as_network(), identity(slots));
    ASSERT_EQ(*count_links(*machine), static_cast<double>(everywhere.used));
  }
}

TEST(LinkLoad, CountsParallelLinksEach) {
  const auto links = [](const char* spec) { return count_links(*parse_machine(spec)); };
  EXPECT_EQ(links("tree:2x3"), 2 * (2 + 6));
  EXPECT_EQ(links("fattree:2,3"), 2 * 8 * 3);  // as many on each level as there are nodes
  EXPECT_EQ(links("fattree:2,3,2"), 2 * (8 + 4 + 2));
  EXPECT_EQ(links("torus:4x2"), 2 * (8 + 4));
  EXPECT_EQ(links("torus:1"), 0);
  EXPECT_EQ(links("tree:4x2;slots=0-1"), 2 * (4 + 8));  // those of the whole machine
  EXPECT_EQ(links("dragonfly:4,1,1"), std::nullopt);
  const auto pair = matrix_of(2, {{Rank(0), Rank(1), 6}});
  const auto graph = TrafficGraph::from(pair);
  const auto average = [&](const char* spec) {
    const auto machine = parse_machine(spec);
    const auto hop_bytes = evaluate_objective(graph, *machine, identity(2), Objective::hop_bytes);
    return average_link_load(graph, *machine, identity(2), hop_bytes);
  };
  EXPECT_EQ(average("torus:4"), 6 / 8.0);
  EXPECT_EQ(average("mesh:4"), 6 / 6.0);
  EXPECT_EQ(average("torus:2/1"), 6 * 5 / 10.0);  // 2 + 2 up and down, 1 between: 5 of 10
  EXPECT_EQ(average("dragonfly:4,1,1"), std::nullopt);
}

// Grids with many more nodes than entries take another way through memory.
TEST(LinkLoad, AgreesOnLargeEmptyGrids) {
  std::mt19937_64 random(13);
  for (const char* spec : {"torus:1048576x3", "mesh:1024x2048", "torus:130x130x130/2"}) {
    const auto machine = parse_machine(spec);
    const auto matrix = testing::random_matrix(random, 12, 0.5, 50);
    Mapping mapping;
    for (std::uint32_t r = 0; r < 12; ++r) {
      mapping.slot_of.emplace_back(static_cast<std::uint32_t>(random() % 4096));
    }
    ASSERT_EQ(max_link_load(matrix, *machine, mapping),
              by_definition(matrix, *machine->as_network(), mapping).most);
  }
}

}  // namespace
}  // namespace kith
