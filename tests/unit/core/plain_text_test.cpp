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
  EXPECT_EQ(short_percent(1), "100%");
}

}  // namespace
}  // namespace kith
