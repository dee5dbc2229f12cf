#include <gmock/gmock.h>

#include <limits>
#include <map>

#include "core/rng.hpp"
#include "kith/error.hpp"
#include "kith/traffic.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Weight huge = std::numeric_limits<Weight>::max();

TEST(TrafficMatrix, SortsRowsAndAddsDuplicates) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank{2}, Rank{3}, 5);
  builder.add(Rank{0}, Rank{2}, 1);
  builder.add(Rank{2}, Rank{1}, 7);
  builder.add(Rank{2}, Rank{3}, 6);
  builder.add(Rank{3}, Rank{3}, 9);
  builder.add(Rank{0}, Rank{1}, 0);
  const TrafficMatrix m = builder.build();
  EXPECT_EQ(m.ranks(), 4U);
  EXPECT_THAT(m.offsets(), ElementsAre(0, 1, 1, 3, 4));
  EXPECT_THAT(m.destinations(Rank{2}), ElementsAre(Rank{1}, Rank{3}));
  EXPECT_THAT(m.weights(Rank{2}), ElementsAre(7, 11));
  EXPECT_EQ(m.at(Rank{2}, Rank{3}), 11U);
  EXPECT_EQ(m.at(Rank{3}, Rank{2}), 0U);
  EXPECT_EQ(m.at(Rank{0}, Rank{1}), 0U);
  EXPECT_EQ(m.total(true), 28U);
  EXPECT_EQ(m.total(false), 19U);
}

TEST(TrafficMatrix, EmptyOnesWork) {
  EXPECT_EQ(TrafficMatrix().ranks(), 0U);
  EXPECT_EQ(TrafficMatrix().entries(), 0U);
  const TrafficMatrix m = TrafficMatrixBuilder(3).build();
  EXPECT_EQ(m.ranks(), 3U);
  EXPECT_EQ(m.total(true), 0U);
  EXPECT_TRUE(m.destinations(Rank{2}).empty());
}

TEST(TrafficMatrix, AgreesWithAMapOnRandomCells) {
  Rng rng(11);
  constexpr std::uint32_t n = 50;
  TrafficMatrixBuilder builder(n);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Weight> truth;
  for (int i = 0; i < 5000; ++i) {
    const auto a = static_cast<std::uint32_t>(rng.below(n));
    const auto b = static_cast<std::uint32_t>(rng.below(n));
    const Weight w = rng.below(4);
    builder.add(Rank{a}, Rank{b}, w);
    if (w != 0) truth[{a, b}] += w;
  }
  const TrafficMatrix m = builder.build();
  EXPECT_EQ(m.entries(), truth.size());
  for (const auto& [where, w] : truth) {
    ASSERT_EQ(m.at(Rank{where.first}, Rank{where.second}), w);
  }
  for (std::uint32_t r = 0; r < n; ++r) {
    const auto row = m.destinations(Rank{r});
    for (std::size_t i = 1; i < row.size(); ++i) ASSERT_LT(row[i - 1], row[i]);
  }
}

TEST(TrafficMatrix, OverflowIsAnErrorThatNamesTheCell) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank{3}, Rank{1}, huge);
  builder.add(Rank{3}, Rank{1}, 1);
  try {
    (void)builder.build();
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::input);
    EXPECT_THAT(e.what(), HasSubstr("rank 3 to rank 1"));
  }
  EXPECT_EQ(builder.build().entries(), 0U);  // the builder is empty afterwards
}

TEST(TrafficMatrix, TotalThatOverflowsIsAnError) {
  TrafficMatrixBuilder builder(2);
  builder.add(Rank{0}, Rank{1}, huge);
  builder.add(Rank{1}, Rank{1}, 1);
  const TrafficMatrix m = builder.build();
  EXPECT_EQ(m.total(false), huge);
  EXPECT_THROW((void)m.total(true), Error);
}

}  // namespace
}  // namespace kith
