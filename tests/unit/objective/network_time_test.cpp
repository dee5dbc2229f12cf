#include "objective/network_time.hpp"

#include <gmock/gmock.h>

#include "kith/detail/goal.hpp"
#include "kith/detail/lower_bound.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::HasSubstr;

constexpr double cable = 1e6 / LinkTimes::default_network;  // ps a byte
constexpr double core = 1e6 / LinkTimes::default_memory;

TrafficMatrix matrix_of(std::uint32_t ranks, const std::vector<TrafficEntry>& entries) {
  TrafficMatrixBuilder builder(ranks);
  for (const TrafficEntry& e : entries) builder.add(e.source, e.destination, e.weight);
  return builder.build();
}

double picoseconds(const TrafficMatrix& matrix, const std::string& spec) {
  const auto machine = parse_machine(spec);
  return static_cast<double>(
      network_picoseconds(matrix, *machine, identity_mapping(matrix.ranks(), *machine, 1)));
}

/// Hosts of two cores each; `megabytes_per_s` between them.
std::unique_ptr<TreeMachine> measured_hosts(double megabytes_per_s) {
  TreeDescription tree;
  tree.children = {{2}, {2, 2}};
  tree.names = {"network", "host"};
  tree.kind = "job";
  tree.spec = "job";
  tree.nodes = 2;
  tree.node_names = {"a", "b"};
  tree.measured = {{"network", 0, 0, megabytes_per_s}, {"host", 0, 0, 0}};
  return TreeMachine::from(std::move(tree));
}

TEST(NetworkTime, IsThatOfTheBusiestCableInTheBusierDirection) {
  // Host 0 sends 3000 and receives 5000.
  const auto matrix =
      matrix_of(4, {{Rank(0), Rank(2), 1000}, {Rank(1), Rank(3), 2000}, {Rank(2), Rank(1), 5000}});
  EXPECT_NEAR(picoseconds(matrix, "tree:2x2"), 5000 * cable, 1);
  EXPECT_NEAR(picoseconds(matrix, "torus:2/2"), 5000 * cable, 1);
  const auto machine = measured_hosts(2.5);
  const Mapping identity = identity_mapping(4, *machine, 1);
  EXPECT_NEAR(static_cast<double>(network_picoseconds(matrix, *machine, identity)),
              5000 * 1e6 / 2.5, 1e3);
  const TrafficGraph graph = TrafficGraph::from(matrix);
  EXPECT_EQ(evaluate(matrix, graph, *machine, identity).busiest_host, 5000U);
  for (const char* spec : {"tree:2x2", "torus:2/2", "dragonfly:3,2,2/2", "fattree:2,2/2"}) {
    EXPECT_EQ(evaluate(matrix, graph, *parse_machine(spec), identity).busiest_host, 5000U) << spec;
  }
  // Nodes of a slot each: node 1 sends 7000, in two directions of the line.
  const auto fan = matrix_of(4, {{Rank(1), Rank(0), 3000}, {Rank(1), Rank(3), 4000}});
  EXPECT_EQ(evaluate(fan, TrafficGraph::from(fan), *parse_machine("mesh:4"), identity).busiest_host,
            7000U);
  EXPECT_EQ(evaluate(matrix, graph, *parse_machine("tree:1x4"), identity).busiest_host,
            std::nullopt);
}

TEST(NetworkTime, WeighsWhatStaysInAHostByItsMemory) {
  const auto inside = matrix_of(4, {{Rank(0), Rank(1), 1000}});
  EXPECT_NEAR(picoseconds(inside, "tree:2x2"), 1000 * core, 1);
  // A core's link would carry most, but the cable takes longer.
  const auto both = matrix_of(4, {{Rank(0), Rank(1), 2000}, {Rank(0), Rank(2), 1000}});
  EXPECT_NEAR(picoseconds(both, "tree:2x2"), 1000 * cable, 1);
  // Two cores drive what joins a package to its host.
  const auto packages = matrix_of(4, {{Rank(0), Rank(2), 1000}, {Rank(1), Rank(3), 1000}});
  EXPECT_NEAR(picoseconds(packages, "tree:1x2x2"), 1000 * core, 1);
}

TEST(NetworkTime, SpreadsOverParallelLinks) {
  // 2 nodes below each of 2 switches: two cables go up from each, or one with a taper of 2.
  const auto across = matrix_of(4, {{Rank(0), Rank(2), 1000}, {Rank(1), Rank(3), 1000}});
  EXPECT_NEAR(picoseconds(across, "fattree:2,2"), 1000 * cable, 1);
  EXPECT_NEAR(picoseconds(across, "fattree:2,2,2"), 2000 * cable, 1);
}

TEST(NetworkTime, KnowsTheNodesWhereRoutesAreNotKnown) {
  const auto machine = parse_machine("dragonfly:3,2,2/2");
  const auto matrix = matrix_of(4, {{Rank(0), Rank(2), 1000}, {Rank(1), Rank(3), 2000}});
  const Mapping identity = identity_mapping(4, *machine, 1);
  EXPECT_NEAR(static_cast<double>(network_picoseconds(matrix, *machine, identity)), 3000 * cable,
              1);
  const Goal goal{{{Criterion::network_time}}};
  EXPECT_NO_THROW(check_goal(goal, *machine));
}

/// From the definition: each object's own sums, level by level.
double by_definition(const TrafficMatrix& matrix, const TreeMachine& tree, const Mapping& mapping) {
  double most = 0;
  for (unsigned level = 1; level <= tree.depth(); ++level) {
    const double slots =
        static_cast<double>(tree.slots()) / static_cast<double>(tree.objects(level));
    const double hosts =
        static_cast<double>(tree.nodes()) / static_cast<double>(tree.objects(level));
    const double each = level > tree.node_level()    ? core / slots
                        : level == tree.node_level() ? cable
                                                     : cable / std::max(1.0, hosts / 2);
    for (std::uint64_t object = 0; object < tree.objects(level); ++object) {
      double up = 0;
      double down = 0;
      for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
        for (std::uint32_t j = 0; j < matrix.ranks(); ++j) {
          const bool from = tree.ancestor(tree.leaf_of_slot(mapping[Rank(i)]), level) == object;
          const bool to = tree.ancestor(tree.leaf_of_slot(mapping[Rank(j)]), level) == object;
          if (from && !to) up += static_cast<double>(matrix.at(Rank(i), Rank(j)));
          if (to && !from) down += static_cast<double>(matrix.at(Rank(i), Rank(j)));
        }
      }
      most = std::max(most, each * std::max(up, down));
    }
  }
  return most;
}

TEST(NetworkTime, AgreesWithTheDefinitionAndItsBound) {
  std::mt19937_64 random(12);
  int bounded = 0;
  for (int round = 0; round < 150; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 40)
                                     : testing::random_unequal_tree(random);
    const auto ranks = static_cast<std::uint32_t>(1 + random() % tree->slots());
    const auto wire = testing::random_matrix(random, ranks, 0.3, 100000);
    const auto mapping = testing::random_mapping(random, ranks, *tree, 1);
    const double expected = by_definition(wire, *tree, mapping);
    const auto found = static_cast<double>(network_picoseconds(wire, *tree, mapping));
    ASSERT_NEAR(found, expected, 1 + 0.01 * expected) << tree->spec();
    const auto bound = network_time_lower_bound(TrafficGraph::from(wire), *tree, 1);
    if (!bound) continue;
    ASSERT_LE(bound->value.value(), found / 1e12);
    bounded += bound->value.units > 0 ? 1 : 0;
  }
  EXPECT_GT(bounded, 20);
}

TEST(NetworkTime, CountsWhatIsOnTheWire) {
  const auto bytes = matrix_of(3, {{Rank(0), Rank(1), 4000}});
  const auto messages = matrix_of(3, {{Rank(0), Rank(1), 2}, {Rank(1), Rank(2), 5}});
  const TrafficMatrix wire = on_the_wire(bytes, messages);
  EXPECT_EQ(wire.at(Rank(0), Rank(1)), 4000 + 4000 / 40 + 2 * 100);
  EXPECT_EQ(wire.at(Rank(1), Rank(2)), 5U * 100);  // messages without a byte
  const auto too_many = matrix_of(2, {{Rank(0), Rank(1), UINT64_MAX / 2}});
  EXPECT_THROW(on_the_wire(matrix_of(2, {}), too_many), Error);
  // evaluate() takes it for these two metrics alone.
  const auto machine = parse_machine("tree:3x1");
  const Metrics metrics =
      evaluate(bytes, TrafficGraph::from(bytes), *machine, identity_mapping(3, *machine, 1), &wire);
  EXPECT_EQ(metrics.busiest_host, wire.at(Rank(0), Rank(1)) + wire.at(Rank(1), Rank(2)) - 500);
  EXPECT_EQ(metrics.max_link_load, 4000U);
  EXPECT_NEAR(metrics.network_time.value() * 1e12, 4300 * cable, 1);
}

TEST(NetworkTime, IsTheGoalWhereHostsHaveNames) {
  EXPECT_EQ(default_goal(*measured_hosts(0)).name(), "network-time");
  EXPECT_EQ(default_goal(*parse_machine("tree:2x2")).name(), "hop-bytes");
  EXPECT_EQ(default_goal(*parse_machine("tree:2x2@2,1")).name(), "sum-com");
}

TEST(NetworkTime, IsSaidInSecondsOnlyWhereTheBandwidthWasMeasured) {
  Metrics before;
  Metrics after;
  before.busiest_host = 40 << 20;
  after.busiest_host = 24 << 20;
  EXPECT_EQ(network_gain_text(before, after, *measured_hosts(0)),
            "the busiest host sends or receives 24.0 MiB instead of 40.0 MiB, headers included");
  EXPECT_EQ(network_gain_text(before, after, *measured_hosts(2.5)),
            "the busiest host sends or receives 24.0 MiB instead of 40.0 MiB, headers included, "
            "which spares its cable "
            "some 6.7 s at 20 Mbit/s");
  after.busiest_host = 0;
  EXPECT_EQ(network_gain_text(before, after, *measured_hosts(0)),
            "the busiest host sends or receives nothing instead of 40.0 MiB, headers included");
  after.busiest_host = 24 << 20;
  EXPECT_EQ(network_gain_text(after, before, *measured_hosts(2.5)), "");
  // No gain is told where both numbers read alike, such as 40.0 MiB and 40.0 MiB, or are 0.
  after.busiest_host = (40 << 20) - 1000;
  EXPECT_EQ(network_gain_text(before, after, *measured_hosts(0)), "");
  EXPECT_EQ(network_gain_text(Metrics(), Metrics(), *measured_hosts(0)), "");
}

}  // namespace
}  // namespace kith
