#include <gtest/gtest.h>

#include <map>
#include <set>

#include "kith/mapper.hpp"

namespace kith {
namespace {

Mapping random_mapping(std::uint32_t ranks, const char* spec, std::uint64_t seed,
                       std::uint32_t capacity = 1) {
  TrafficMatrixBuilder builder(ranks);
  const auto graph = TrafficGraph::from(builder.build());
  MapOptions options;
  options.seed = seed;
  options.capacity = capacity;
  return map_ranks(find_algorithm("random"), {graph, *parse_machine(spec), options}).mapping;
}

TEST(Random, DependsOnTheSeedAlone) {
  EXPECT_EQ(random_mapping(64, "tree:8x8", 5), random_mapping(64, "tree:8x8", 5));
  EXPECT_NE(random_mapping(64, "tree:8x8", 5), random_mapping(64, "tree:8x8", 6));
}

// Each of the 12 ordered pairs of 4 slots, equally often.
TEST(Random, ChoosesSlotsUniformly) {
  std::map<std::pair<Slot, Slot>, int> count;
  constexpr int draws = 12000;
  for (int seed = 0; seed < draws; ++seed) {
    const Mapping mapping =
        random_mapping(2, "tree:6;slots=1-2,4-5", static_cast<std::uint64_t>(seed));
    ++count[{mapping[Rank(0)], mapping[Rank(1)]}];
  }
  EXPECT_EQ(count.size(), 12U);
  for (const auto& [pair, times] : count) {
    EXPECT_NEAR(times, draws / 12, 150);  // five standard deviations
  }
}

TEST(Random, TakesNoMemoryForSlotsThatItDoesNotUse) {
  const Mapping mapping = random_mapping(10, "tree:65535x65536", 1);
  EXPECT_EQ(std::set<Slot>(mapping.slot_of.begin(), mapping.slot_of.end()).size(), 10U);
}

TEST(Random, SpreadsSurplusRanksEvenly) {
  const Mapping mapping = random_mapping(10, "tree:4", 1, 3);
  std::map<Slot, int> count;
  for (const Slot slot : mapping.slot_of) ++count[slot];
  EXPECT_EQ(count[Slot(0)] + count[Slot(1)], 6);
  EXPECT_EQ(count[Slot(2)], 2);
  EXPECT_NE(mapping, identity_mapping(10, *parse_machine("tree:4"), 3));
}

}  // namespace
}  // namespace kith
