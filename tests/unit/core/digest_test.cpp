#include "core/digest.hpp"

#include <gtest/gtest.h>

namespace kith {
namespace {

TEST(Digest, MatchesThePublishedValuesOfFnv1a) {
  EXPECT_EQ(Digest().hex(), "cbf29ce484222325");
  EXPECT_EQ(Digest().add("a").hex(), "af63dc4c8601ec8c");
  EXPECT_EQ(Digest().add("foobar").hex(), "85944171f73967e8");
}

TEST(Digest, DependsOnBytesNotOnHowTheyCome) {
  EXPECT_EQ(Digest().add("foo").add("bar").hex(), Digest().add("foobar").hex());
  EXPECT_NE(Digest().add("foo").hex(), Digest().add("oof").hex());
}

}  // namespace
}  // namespace kith
