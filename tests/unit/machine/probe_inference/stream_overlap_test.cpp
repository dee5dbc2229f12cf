#include "machine/probe_inference/stream_overlap.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kith {
namespace {

TEST(StreamOverlap, EvenStreamsAddUp) {
  const std::vector<StreamArrivals> streams(3, {2e6, {10, 11, 12, 13}});
  EXPECT_DOUBLE_EQ(megabytes_together(streams), 6);
  EXPECT_DOUBLE_EQ(megabytes_together({streams.data(), 1}), 2);
}

// A link of 10 MB/s: one stream takes 8 of it until it ends at 5 s, the other then has all of it.
TEST(StreamOverlap, AStreamThatIsLeftOverHasTheWholeLink) {
  const std::vector<StreamArrivals> streams{{8e6, {0, 1, 2, 3, 4, 5}},
                                            {10e6, {0, 5, 6, 7, 8, 9, 10}}};
  EXPECT_DOUBLE_EQ(megabytes_together(streams), 10);
}

TEST(StreamOverlap, PartsAreCutWhereTheOtherStreamBegins) {
  const std::vector<StreamArrivals> streams{{4e6, {0, 2, 4}}, {3e6, {1, 2, 3}}};
  EXPECT_DOUBLE_EQ(megabytes_together(streams), (4e6 * 1.5 + 3e6 * 2) / 3 / 1e6);
}

TEST(StreamOverlap, NothingWhereStreamsDoNotMeet) {
  const std::vector<StreamArrivals> streams{{4e6, {0, 1, 2}}, {4e6, {2, 3, 4}}};
  EXPECT_EQ(megabytes_together(streams), 0);
  EXPECT_EQ(megabytes_together({}), 0);
  const std::vector<StreamArrivals> one_stamp{{4e6, {1}}};
  EXPECT_EQ(megabytes_together(one_stamp), 0);
}

}  // namespace
}  // namespace kith
