#include "report/report_data.hpp"

#include <gmock/gmock.h>

#include "kith/objective.hpp"
#include "report_samples.hpp"

namespace kith {
namespace {

using testing::ElementsAre;

TEST(OrderTraffic, LevelBytesAreThoseOfTheMetrics) {
  const auto machine = parse_machine("tree:4x2x8");
  const TrafficMatrix matrix = random_traffic(50, 400, 1);
  const Mapping mapping = random_mapping(50, *machine, 2);
  const Metrics metrics = evaluate(matrix, TrafficGraph::from(matrix), *machine, mapping);
  EXPECT_EQ(level_bytes(matrix, MachineLevels(*machine), mapping), metrics.level_bytes);
}

TEST(OrderTraffic, HostsByTheirEdges) {
  const auto machine = parse_machine("tree:3x2");
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 100);  // inside node 0
  builder.add(Rank(0), Rank(2), 7);    // 0 -> 2
  builder.add(Rank(3), Rank(1), 5);    // 2 -> 0
  const TrafficMatrix matrix = builder.build();
  const Mapping mapping{{Slot(0), Slot(1), Slot(4), Slot(5)}};
  const Mapping* const mappings[] = {&mapping};
  const ListedHosts listed = hosts_with_ranks(*machine, mappings, 10);
  ASSERT_EQ(listed.hosts.size(), 2U);
  EXPECT_EQ(listed.left_out, 1U);
  EXPECT_EQ(listed.hosts[1].node, 2U);
  EXPECT_EQ(listed.hosts[1].name, "node2");
  EXPECT_EQ(listed.hosts[1].first_place, 4U);
  EXPECT_EQ(listed.hosts[1].places, 2U);
  const HostTraffic traffic = host_traffic(matrix, *machine, mapping, listed.hosts);
  EXPECT_THAT(traffic.out, ElementsAre(7, 5));
  EXPECT_THAT(traffic.in, ElementsAre(5, 7));
  EXPECT_EQ(traffic.between, 12U);
}

TEST(OrderTraffic, HostsBeyondTheListCountToo) {
  const auto machine = parse_machine("torus:4x4/2");
  const TrafficMatrix matrix = random_traffic(32, 300, 3);
  const Mapping mapping = random_mapping(32, *machine, 4);
  const Mapping* const mappings[] = {&mapping};
  const ListedHosts all = hosts_with_ranks(*machine, mappings, 100);
  const ListedHosts some = hosts_with_ranks(*machine, mappings, 5);
  EXPECT_EQ(all.hosts.size(), 16U);
  EXPECT_EQ(some.hosts.size(), 5U);
  EXPECT_EQ(some.left_out, 11U);
  const HostTraffic whole = host_traffic(matrix, *machine, mapping, all.hosts);
  const HostTraffic part = host_traffic(matrix, *machine, mapping, some.hosts);
  EXPECT_EQ(part.between, whole.between);
  EXPECT_EQ(part.out[4], whole.out[4]);
  EXPECT_EQ(std::accumulate(whole.out.begin(), whole.out.end(), Weight{0}), whole.between);
  EXPECT_EQ(std::accumulate(whole.in.begin(), whole.in.end(), Weight{0}), whole.between);
}

TEST(OrderTraffic, BiggestTalkersFirstTiesByRank) {
  TrafficMatrixBuilder builder(6);
  builder.add(Rank(4), Rank(3), 5);
  builder.add(Rank(3), Rank(4), 5);
  builder.add(Rank(1), Rank(0), 10);
  builder.add(Rank(0), Rank(5), 11);
  builder.add(Rank(2), Rank(2), 99);
  builder.add(Rank(2), Rank(1), 1);
  const TrafficGraph graph = TrafficGraph::from(builder.build());
  std::vector<std::string> pairs;
  for (const Talker& pair : biggest_talkers(graph, 3)) {
    pairs.push_back(std::to_string(pair.a.value) + "-" + std::to_string(pair.b.value) + ":" +
                    std::to_string(pair.bytes));
  }
  EXPECT_THAT(pairs, ElementsAre("0-5:11", "0-1:10", "3-4:10"));
  EXPECT_EQ(biggest_talkers(graph, 100).size(), 4U);
}

}  // namespace
}  // namespace kith
