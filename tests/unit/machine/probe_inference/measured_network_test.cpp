#include "machine/probe_inference/probe_inference.hpp"

#include <gmock/gmock.h>

#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// `hosts` named h0, h1, ... of 2 slots, on switches of `size`.
NetworkMeasurements two_layers(std::uint32_t hosts, std::uint32_t size) {
  NetworkMeasurements measured;
  for (std::uint32_t host = 0; host < hosts; ++host) {
    measured.hosts.push_back({std::string("h").append(std::to_string(host)), 2});
  }
  for (std::uint32_t a = 0; a < hosts; ++a) {
    for (std::uint32_t b = a + 1; b < hosts; ++b) {
      measured.pairs.push_back(a / size == b / size ? MeasuredPair{a, b, 85123.4, 120, 11.9}
                                                    : MeasuredPair{a, b, 270123.4, 190.4, 0});
    }
  }
  return measured;
}

TEST(MeasuredNetwork, EachLevelHasTheMediansOfItsPairs) {
  auto measured = two_layers(8, 4);
  measured.pairs[0].cost *= 3;            // one of twelve
  measured.pairs[3].megabytes_per_s = 4;  // 0 and 4: the only bandwidth at the top
  const HostNetwork found = network_of(measured);
  ASSERT_EQ(found.network.levels.size(), 2);
  EXPECT_EQ(found.network.levels[0].level, "network");
  EXPECT_EQ(found.network.levels[0].cost, 270000);
  EXPECT_EQ(found.network.levels[0].latency_us, 190);
  EXPECT_EQ(found.network.levels[0].megabytes_per_s, 4);
  EXPECT_EQ(found.network.levels[1].level, "switch");
  EXPECT_EQ(found.network.levels[1].cost, 85100);
  EXPECT_EQ(found.network.levels[1].latency_us, 120);
  EXPECT_EQ(found.network.levels[1].megabytes_per_s, 11.9);
  EXPECT_THAT(found.network.host_levels, IsEmpty());
  EXPECT_EQ(found.hosts[3].name, "h3");
  EXPECT_EQ(found.hosts[3].slots, 2);
  EXPECT_THAT(found.hosts[3].switches, ElementsAre("switch0"));
  EXPECT_THAT(found.hosts[4].switches, ElementsAre("switch1"));
}

/// Four pairs meet at the top.
TEST(MeasuredNetwork, ABurstIsOneOfMostPairs) {
  auto measured = two_layers(4, 2);
  for (auto& pair : measured.pairs) {
    pair.megabytes_per_s = 3;
    pair.burst_bytes = pair.a == 0 && pair.b == 2 ? 0 : 30'000;
  }
  EXPECT_EQ(network_of(measured).network.levels[0].burst_bytes, 30'000);
  for (auto& pair : measured.pairs) pair.burst_bytes = pair.a == 0 && pair.b == 2 ? 30'000 : 0;
  EXPECT_EQ(network_of(measured).network.levels[0].burst_bytes, 0);
}

TEST(MeasuredNetwork, LevelsInsideHostsStandTopDownBelowTheHost) {
  NetworkMeasurements measured = two_layers(1, 1);
  measured.inside = {{"l3", 3, {0, 0, 100, 0.4, 9000}},
                     {"package", 1, {0, 0, 200, 0.7, 7000}},
                     {"package", 1, {0, 0, 204, 0.7, 7000}}};
  const HostNetwork found = network_of(measured);
  EXPECT_THAT(found.network.levels, IsEmpty());
  ASSERT_EQ(found.network.host_levels.size(), 3);
  EXPECT_EQ(found.network.host_levels[0].level, "host");
  EXPECT_EQ(found.network.host_levels[0].cost, 0);
  EXPECT_EQ(found.network.host_levels[1].level, "package");
  EXPECT_EQ(found.network.host_levels[1].cost, 202);
  EXPECT_EQ(found.network.host_levels[2].level, "l3");
}

TEST(MeasuredNetwork, CanBeReadBack) {
  const TempDirectory folder;
  auto measured = two_layers(12, 4);
  for (auto& pair : measured.pairs) pair.cost *= pair.a / 8 == pair.b / 8 ? 1 : 3;
  measured.inside.push_back({"package", 1, {0, 0, 200.4, 0.7123, 7000}});
  const std::string text = network_file_text(network_of(measured));
  EXPECT_THAT(text, HasSubstr("level switch2 cost=270000 latency=190\n"));
  EXPECT_THAT(text, HasSubstr("level host\nlevel package cost=200 latency=0.712 bandwidth=7000\n"));
  EXPECT_THAT(text, HasSubstr("h9 slots=2 switch2 switch2-1\n"));
  const HostNetwork again = read_network_file(folder.write("net", text));
  EXPECT_EQ(network_file_text(again), text);
}

TEST(MeasuredNetwork, OneHostAndNothingMeasured) {
  NetworkMeasurements measured;
  measured.hosts = {{"alone", 4}};
  EXPECT_EQ(network_file_text(network_of(measured)), "alone slots=4\n");
  measured.hosts.push_back({"other", 4});
  EXPECT_EQ(network_file_text(network_of(measured)),
            "level network\nalone slots=4\nother slots=4\n");
}

}  // namespace
}  // namespace kith
