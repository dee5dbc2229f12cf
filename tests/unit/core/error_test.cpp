#include "kith/error.hpp"

#include <gtest/gtest.h>

namespace kith {
namespace {

TEST(Error, SaysWhereExpectedAndFound) {
  const Error at_line = bad_input_at("a.mtx", 7, "a number", "\"x\"");
  EXPECT_STREQ(at_line.what(), "a.mtx:7: expected a number, found \"x\"");
  EXPECT_EQ(at_line.kind(), ErrorKind::input);
  const Error at_option = bad_input("--seed", "a number", "nothing");
  EXPECT_STREQ(at_option.what(), "--seed: expected a number, found nothing");
  EXPECT_EQ(environment_error("cannot write").kind(), ErrorKind::environment);
}

TEST(Error, KindsAreTheExitCodes) {
  EXPECT_EQ(static_cast<int>(ErrorKind::internal), 1);
  EXPECT_EQ(static_cast<int>(ErrorKind::input), 2);
  EXPECT_EQ(static_cast<int>(ErrorKind::environment), 3);
}

}  // namespace
}  // namespace kith
