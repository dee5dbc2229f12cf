#include "report/heat_picture.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/report_json.hpp"
#include "report_samples.hpp"

namespace kith {
namespace {

/// A ring of 1024 ranks, in an order that keeps neighbours together and in a random one.
class HeatChoice : public testing::Test {
 protected:
  void SetUp() override {
    TrafficMatrixBuilder builder(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      builder.add(Rank(r), Rank((r + 1) % ranks), 1000 + r);
      builder.add(Rank((r + 1) % ranks), Rank(r), 2000 + r);
    }
    ring = builder.build();
    orders = {order_by_place(identity_mapping(ranks, *machine, 1), *machine),
              order_by_place(random_mapping(ranks, *machine, 8), *machine)};
  }

  std::uint64_t add(std::uint64_t most_bytes) {
    return add_heat_matrices({"all", ring, nullptr, &levels}, most_bytes, orders);
  }

  /// What the matrices add to the document.
  std::size_t written() {
    ReportData data;
    data.run.ranks = ranks;
    data.orders = orders;
    const std::size_t with = report_json(data).size();
    for (ReportOrder& order : data.orders) order.matrices.clear();
    return with - report_json(data).size();
  }

  static constexpr std::uint32_t ranks = 1024;
  std::unique_ptr<Machine> machine = parse_machine("tree:64x16");
  MachineLevels levels{*machine};
  TrafficMatrix ring;
  std::vector<ReportOrder> orders;
};

TEST_F(HeatChoice, AnyBudgetIsKept) {
  for (std::uint64_t budget = 100; budget < 400000; budget = budget * 3 / 2) {
    SetUp();
    const std::uint64_t taken = add(budget);
    EXPECT_LE(taken, budget);
    EXPECT_LE(written(), taken);
  }
}

TEST_F(HeatChoice, WithRoomDownToSingleRanks) {
  add(1'000'000);
  for (const ReportOrder& order : orders) {
    ASSERT_EQ(order.matrices.size(), 1U);
    EXPECT_EQ(order.matrices[0].name, "all");
    const std::vector<HeatLevel>& found = order.matrices[0].levels;
    EXPECT_EQ(found.front().block, 8U);
    EXPECT_EQ(found.front().side, 128U);
    EXPECT_EQ(found.back().block, 1U);
    EXPECT_EQ(found.back().cells.size(), ring.entries());
  }
}

TEST_F(HeatChoice, NothingIsShownTwice) {
  add(1'000'000);
  for (const ReportOrder& order : orders) {
    const std::vector<HeatLevel>& found = order.matrices[0].levels;
    for (std::size_t i = 2; i < found.size(); ++i) {
      EXPECT_LT(found[i].block, found[i - 1].block);
      EXPECT_LE(2 * found[i - 1].cells.size(), found[i].cells.size());
    }
  }
  // In a random order hardly two cells fall into one block.
  EXPECT_LT(orders[1].matrices[0].levels.size(), orders[0].matrices[0].levels.size());
}

TEST_F(HeatChoice, ACompactOrderGetsFinerOnes) {
  add(70'000);
  EXPECT_LT(orders[0].matrices[0].levels.back().block, orders[1].matrices[0].levels.back().block);
  EXPECT_EQ(orders[0].matrices[0].levels.front().block, orders[1].matrices[0].levels.front().block);
}

TEST_F(HeatChoice, WithLittleRoomCoarserForAll) {
  add(6'000);
  ASSERT_EQ(orders[0].matrices.size(), 1U);
  EXPECT_GT(orders[0].matrices[0].levels.front().block, 8U);
  EXPECT_EQ(orders[0].matrices[0].levels.front().block, orders[1].matrices[0].levels.front().block);
}

TEST_F(HeatChoice, WithoutRoomNone) {
  EXPECT_EQ(add(500), 0U);
  EXPECT_TRUE(orders[0].matrices.empty());
  EXPECT_TRUE(orders[1].matrices.empty());
}

}  // namespace
}  // namespace kith
