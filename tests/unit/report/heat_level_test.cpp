#include "report/heat_level.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "report_samples.hpp"

namespace kith {
namespace {

constexpr std::uint64_t any_length = UINT64_MAX;

Weight bytes_of(const HeatLevel& level) {
  Weight sum = 0;
  for (const HeatCell& cell : level.cells) sum += cell.bytes;
  return sum;
}

Weight messages_of(const HeatLevel& level) {
  Weight sum = 0;
  for (const HeatCell& cell : level.cells) sum += cell.messages;
  return sum;
}

TEST(HeatLevel, EveryResolutionHasAllBytesAndMessages) {
  const auto machine = parse_machine("tree:8x16");
  const TrafficMatrix bytes = random_traffic(100, 700, 1);
  const TrafficMatrix messages = random_traffic(100, 500, 2);
  const Mapping mapping = random_mapping(100, *machine, 3);
  const MachineLevels levels(*machine);
  const RankAxis axis = axis_by_place(mapping, *machine);
  const HeatSource source{bytes, &messages, axis, &levels, &mapping};
  for (const std::uint32_t block : {1U, 2U, 3U, 4U, 16U, 64U, 128U}) {
    const auto level = heat_level(source, block, any_length);
    ASSERT_TRUE(level);
    EXPECT_EQ(level->side, (100 + block - 1) / block);
    EXPECT_EQ(bytes_of(*level), bytes.total(true)) << block;
    EXPECT_EQ(messages_of(*level), messages.total(true)) << block;
  }
}

TEST(HeatLevel, BlocksOfOneRankAreTheMatrix) {
  const auto machine = parse_machine("tree:4x8");
  const TrafficMatrix bytes = random_traffic(30, 200, 4);
  const Mapping mapping = random_mapping(30, *machine, 5);
  const MachineLevels levels(*machine);
  const RankAxis axis = axis_by_place(mapping, *machine);
  const auto level = heat_level({bytes, nullptr, axis, &levels, &mapping}, 1, any_length);
  ASSERT_TRUE(level);
  ASSERT_EQ(level->cells.size(), bytes.entries());
  for (const HeatCell& cell : level->cells) {
    const Rank sender = axis.rank_at[cell.row];
    const Rank receiver = axis.rank_at[cell.column];
    EXPECT_EQ(cell.bytes, bytes.at(sender, receiver));
    EXPECT_EQ(cell.messages, 0U);
    const std::size_t met = levels.of(mapping[sender], mapping[receiver]);
    EXPECT_EQ(cell.level, met == levels.count() ? -1 : static_cast<int>(met));
  }
}

TEST(HeatLevel, CellsAreInOrderAndOfTheirBlocks) {
  const TrafficMatrix bytes = random_traffic(50, 300, 6);
  const RankAxis axis = axis_by_rank(50);
  const auto level = heat_level({bytes, nullptr, axis}, 8, any_length);
  ASSERT_TRUE(level);
  EXPECT_TRUE(std::ranges::is_sorted(level->cells, [](const HeatCell& a, const HeatCell& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  }));
  for (const HeatCell& cell : level->cells) {
    Weight sum = 0;
    for (std::uint32_t i = 8 * cell.row; i < std::min(8 * cell.row + 8, 50U); ++i) {
      for (std::uint32_t j = 8 * cell.column; j < std::min(8 * cell.column + 8, 50U); ++j) {
        sum += bytes.at(Rank(i), Rank(j));
      }
    }
    EXPECT_EQ(cell.bytes, sum);
    EXPECT_EQ(cell.level, HeatCell::same_slot);  // there is no machine
  }
}

TEST(HeatLevel, ALevelIsThatOfMostBytes) {
  const auto machine = parse_machine("tree:2x2");
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 5);  // inside the node
  builder.add(Rank(1), Rank(1), 4);  // on one slot
  builder.add(Rank(0), Rank(2), 3);  // between nodes
  builder.add(Rank(3), Rank(3), 6);
  builder.add(Rank(2), Rank(3), 6);  // as many inside the node
  const TrafficMatrix bytes = builder.build();
  const Mapping mapping{{Slot(0), Slot(1), Slot(2), Slot(3)}};
  const MachineLevels levels(*machine);
  const RankAxis axis = axis_by_place(mapping, *machine);
  const HeatSource source{bytes, nullptr, axis, &levels, &mapping};
  EXPECT_THAT(heat_level(source, 2, any_length)->cells,
              testing::ElementsAre(HeatCell{0, 0, 9, 0, 1}, HeatCell{0, 1, 3, 0, 0},
                                   HeatCell{1, 1, 12, 0, 1}));
}

TEST(HeatLevel, MessagesWithoutBytesAreCells) {
  TrafficMatrixBuilder builder(2);
  builder.add(Rank(1), Rank(0), 7);
  const TrafficMatrix messages = builder.build();
  const TrafficMatrix bytes = TrafficMatrixBuilder(2).build();
  const RankAxis axis = axis_by_rank(2);
  EXPECT_THAT(heat_level({bytes, &messages, axis}, 1, any_length)->cells,
              testing::ElementsAre(HeatCell{1, 0, 0, 7, HeatCell::same_slot}));
}

TEST(HeatLevel, TooLongIsRefusedAndExactlyFittingIsNot) {
  const TrafficMatrix bytes = random_traffic(40, 300, 7);
  const RankAxis axis = axis_by_rank(40);
  const HeatSource source{bytes, nullptr, axis};
  const auto level = heat_level(source, 2, any_length);
  std::uint64_t length = 0;
  for (const HeatCell& cell : level->cells) length += text_bytes(cell);
  EXPECT_TRUE(heat_level(source, 2, length));
  EXPECT_FALSE(heat_level(source, 2, length - 1));
}

TEST(HeatLevel, TextBytesAreThoseOfTheNumbers) {
  EXPECT_EQ(text_bytes({10, 9, 12345, 0, -1}), std::string("10,9,12345,0,-1,").size());
  EXPECT_EQ(text_bytes({0, 0, UINT64_MAX, 100, 3}),
            std::string("0,0,18446744073709551615,100,3,").size());
}

TEST(HeatLevel, NoRanksNoCells) {
  const TrafficMatrix bytes;
  const RankAxis axis = axis_by_rank(0);
  const auto level = heat_level({bytes, nullptr, axis}, 1, 0);
  ASSERT_TRUE(level);
  EXPECT_EQ(level->side, 0U);
}

}  // namespace
}  // namespace kith
