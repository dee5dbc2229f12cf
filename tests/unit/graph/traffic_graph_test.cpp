#include <gmock/gmock.h>

#include <limits>

#include "core/rng.hpp"
#include "kith/error.hpp"
#include "kith/traffic.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TrafficGraph, AddsBothDirectionsAndDropsTheDiagonal) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank{0}, Rank{1}, 3);
  builder.add(Rank{1}, Rank{0}, 4);
  builder.add(Rank{3}, Rank{1}, 5);
  builder.add(Rank{1}, Rank{1}, 100);
  const TrafficGraph g = TrafficGraph::from(builder.build());
  EXPECT_EQ(g.ranks(), 4U);
  EXPECT_EQ(g.edges(), 2U);
  EXPECT_THAT(g.neighbours(Rank{1}), ElementsAre(Rank{0}, Rank{3}));
  EXPECT_THAT(g.weights(Rank{1}), ElementsAre(7, 5));
  EXPECT_THAT(g.neighbours(Rank{0}), ElementsAre(Rank{1}));
  EXPECT_THAT(g.neighbours(Rank{3}), ElementsAre(Rank{1}));
  EXPECT_EQ(g.degree(Rank{2}), 0U);
}

TEST(TrafficGraph, AgreesWithTheMatrixOnRandomCells) {
  Rng rng(5);
  constexpr std::uint32_t n = 60;
  TrafficMatrixBuilder builder(n);
  for (int i = 0; i < 800; ++i) {
    builder.add(Rank{static_cast<std::uint32_t>(rng.below(n))},
                Rank{static_cast<std::uint32_t>(rng.below(n))}, 1 + rng.below(9));
  }
  const TrafficMatrix m = builder.build();
  const TrafficGraph g = TrafficGraph::from(m);
  std::uint64_t pairs = 0;
  for (std::uint32_t a = 0; a < n; ++a) {
    std::size_t next = 0;
    for (std::uint32_t b = 0; b < n; ++b) {
      const Weight both = m.at(Rank{a}, Rank{b}) + m.at(Rank{b}, Rank{a});
      if (a == b || both == 0) continue;
      ASSERT_LT(next, g.degree(Rank{a}));
      ASSERT_EQ(g.neighbours(Rank{a})[next], Rank{b});
      ASSERT_EQ(g.weights(Rank{a})[next], both);
      ++next;
      pairs += a < b;
    }
    ASSERT_EQ(next, g.degree(Rank{a}));
  }
  EXPECT_EQ(g.edges(), pairs);
}

TEST(TrafficGraph, PairThatOverflowsIsAnError) {
  TrafficMatrixBuilder builder(9);
  builder.add(Rank{2}, Rank{8}, std::numeric_limits<Weight>::max());
  builder.add(Rank{8}, Rank{2}, 1);
  const TrafficMatrix m = builder.build();
  try {
    (void)TrafficGraph::from(m);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("ranks 2 and 8"));
  }
}

TEST(TrafficGraph, ReadyArraysMustFit) {
  const TrafficGraph g = TrafficGraph::from_csr({0, 1, 2}, {Rank{1}, Rank{0}}, {4, 4});
  EXPECT_EQ(g.edges(), 1U);
  EXPECT_THROW((void)TrafficGraph::from_csr({0, 1, 3}, {Rank{1}, Rank{0}}, {4, 4}), Error);
  EXPECT_THROW((void)TrafficGraph::from_csr({}, {}, {}), Error);
}

}  // namespace
}  // namespace kith
