#include "report/axis_levels.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "kith/machine.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// "name:objects" of each level, hosts with a star.
std::vector<std::string> levels_of(const std::string& spec) {
  std::vector<std::string> found;
  for (const AxisLevel& level : axis_levels(*parse_machine(spec))) {
    found.push_back(level.name + ":" + std::to_string(level.objects) + (level.is_host ? "*" : ""));
  }
  return found;
}

std::vector<AxisRun> runs_of(const std::string& spec, std::size_t level,
                             const std::vector<std::uint32_t>& places, std::size_t most = 100) {
  const auto machine = parse_machine(spec);
  return runs_along(*machine, axis_levels(*machine).at(level), places, most);
}

std::vector<std::uint32_t> first_places(std::uint32_t count) {
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

TEST(AxisLevels, OfMachinesOfEveryKind) {
  EXPECT_THAT(levels_of("tree:4x2x8"), ElementsAre("host:4*", "level2:8"));
  EXPECT_THAT(levels_of("torus:4x3x2/2x8"),
              ElementsAre("plane:4", "row:12", "host:24*", "level1:48"));
  EXPECT_THAT(levels_of("hypercube:3"), ElementsAre("host:8*"));
  EXPECT_THAT(levels_of("dragonfly:9,4,2,absolute"),
              ElementsAre("group:9", "router:36", "host:72*"));
}

TEST(AxisLevels, ALevelThatOnlyRepeatsAnotherIsLeftOutButNotHosts) {
  EXPECT_THAT(levels_of("tree:4x1x8"), ElementsAre("host:4*"));
  EXPECT_THAT(levels_of("torus:4x1/2"), ElementsAre("host:4*"));
  EXPECT_THAT(levels_of("tree:1x2x8"), ElementsAre("level2:2"));
}

TEST(AxisRuns, OneForAMachineThatIsFull) {
  EXPECT_THAT(runs_of("tree:4x2x8", 0, first_places(64)), ElementsAre(AxisRun{0, 4, 16}));
  EXPECT_THAT(runs_of("torus:4x3x2/2", 1, first_places(48)), ElementsAre(AxisRun{0, 12, 4}));
}

TEST(AxisRuns, SkipObjectsWithoutRanksAndCountSeveralOnASlot) {
  EXPECT_THAT(runs_of("tree:6x4", 0, {4, 5, 8, 9, 20, 20, 21}),
              ElementsAre(AxisRun{1, 2, 2}, AxisRun{2, 1, 3}));
  EXPECT_THAT(runs_of("tree:6x4", 0, first_places(10)),
              ElementsAre(AxisRun{0, 2, 4}, AxisRun{0, 1, 2}));
}

TEST(AxisRuns, OfATreeWithUnequalChildren) {
  EXPECT_THAT(runs_of("tree:(3,3,5)", 0, first_places(11)),
              ElementsAre(AxisRun{0, 2, 3}, AxisRun{0, 1, 5}));
}

TEST(AxisRuns, NoneWhereTheyAreTooMany) {
  EXPECT_THAT(runs_of("tree:6x4", 0, {0, 4, 5, 8}, 2), IsEmpty());
  EXPECT_THAT(runs_of("tree:6x4", 0, {0, 4, 5, 8}, 3), testing::SizeIs(3));
}

}  // namespace
}  // namespace kith
