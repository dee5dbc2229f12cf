#include "core/parse_number.hpp"

#include <gtest/gtest.h>

namespace kith {
namespace {

TEST(ParseUnsigned, TakesWholeNumbersOnly) {
  EXPECT_EQ(parse_unsigned("0"), 0U);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), 18446744073709551615ULL);
  for (const char* bad : {"", "-1", "+1", " 1", "1 ", "1x", "0x1", "1.0", "18446744073709551616"}) {
    EXPECT_FALSE(parse_unsigned(bad)) << bad;
  }
}

TEST(ParseReal, TakesFiniteDecimals) {
  EXPECT_EQ(parse_real("0.5"), 0.5);
  EXPECT_EQ(parse_real("1e3"), 1000.0);
  EXPECT_EQ(parse_real("-2"), -2.0);
  for (const char* bad : {"", "nan", "inf", "1,5", "1e999", "x"}) {
    EXPECT_FALSE(parse_real(bad)) << bad;
  }
}

}  // namespace
}  // namespace kith
