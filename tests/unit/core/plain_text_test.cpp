#include "core/plain_text.hpp"

#include <gtest/gtest.h>

namespace kith {
namespace {

TEST(PlainNumbers, Bytes) {
  EXPECT_EQ(short_bytes(0), "0 bytes");
  EXPECT_EQ(short_bytes(1), "1 byte");
  EXPECT_EQ(short_bytes(1023), "1023 bytes");
  EXPECT_EQ(short_bytes(1536), "1.5 KiB");
  EXPECT_EQ(short_bytes(57411624), "54.8 MiB");
  EXPECT_EQ(short_bytes(UINT64_MAX), "16.0 EiB");
}

TEST(PlainNumbers, Percent) {
  EXPECT_EQ(short_percent(0), "0%");
  EXPECT_EQ(short_percent(0.0004), "less than 0.1%");
  EXPECT_EQ(short_percent(0.0042), "0.42%");
  EXPECT_EQ(short_percent(0.099), "9.9%");
  EXPECT_EQ(short_percent(0.426), "43%");
  EXPECT_EQ(short_percent(0.994), "99%");
  EXPECT_EQ(short_percent(0.9997), "more than 99%");  // something is left
  EXPECT_EQ(short_percent(1), "100%");
}

TEST(PlainNumbers, Seconds) {
  EXPECT_EQ(short_seconds(0), "0 ms");
  EXPECT_EQ(short_seconds(4.53e-6), "4.53 us");
  EXPECT_EQ(short_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(short_seconds(12.345), "12.3 s");
  EXPECT_EQ(short_seconds(1234.5), "1234 s");
}

TEST(PlainText, NumbersOfThings) {
  EXPECT_EQ(number_of(1, "rank"), "1 rank");
  EXPECT_EQ(number_of(0, "rank"), "0 ranks");
  EXPECT_EQ(number_of(16, "host"), "16 hosts");
}

}  // namespace
}  // namespace kith
