#include "kith/error.hpp"

#include <gtest/gtest.h>

namespace kith {
namespace {

TEST(Error, SaysWhereExpectedAndFound) {
  const Error at_line = bad_input_at("a.mtx", 7, "a number", "\"x\"");
  EXPECT_STREQ(at_line.what(), "a.mtx:7: expected a number, found \"x\"");
  EXPECT_EQ(at_line.kind(), ErrorKind::input);
  EXPECT_FALSE(at_line.names_argument());
  const Error of_argument = bad_argument("seed", "a number", "nothing");
  EXPECT_STREQ(of_argument.what(), "seed: expected a number, found nothing");
  EXPECT_TRUE(of_argument.names_argument());
  EXPECT_EQ(environment_error("cannot write").kind(), ErrorKind::environment);
}

TEST(Error, KindsAreTheExitCodes) {
  EXPECT_EQ(static_cast<int>(ErrorKind::internal), 1);
  EXPECT_EQ(static_cast<int>(ErrorKind::input), 2);
  EXPECT_EQ(static_cast<int>(ErrorKind::environment), 3);
}

TEST(Error, IsOnePrintableLineWhateverStrangersWrote) {
  const std::string text("a\0b\nc\x7f", 6);
  EXPECT_STREQ(bad_input("x" + text, "y", text).what(),
               "xa\\x00b\\x0ac\\x7f: expected y, found a\\x00b\\x0ac\\x7f");
  const std::string cut = bad_input("x", "y", std::string(100'000, 'z')).what();
  EXPECT_LT(cut.size(), 500U);
  EXPECT_TRUE(cut.ends_with("z..."));
}

}  // namespace
}  // namespace kith
