#include <cstdlib>

#include "io/weights.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

class RealWeight : public testing::Test {
 protected:
  Weight read(std::string_view word) {
    LineReader in(dir_.write("w", "x\n"));
    std::string_view line;
    in.next(line);
    return read_weight(in, word);
  }
  TempDirectory dir_;
};

TEST_F(RealWeight, WholeNumbersInAnyNotation) {
  EXPECT_EQ(read("0"), 0U);
  EXPECT_EQ(read("18446744073709551615"), 18446744073709551615ULL);
  EXPECT_EQ(read("1.0"), 1U);
  EXPECT_EQ(read("+3"), 3U);
  EXPECT_EQ(read("12."), 12U);
  EXPECT_EQ(read(".5e1"), 5U);
  EXPECT_EQ(read("1.25e+2"), 125U);
  EXPECT_EQ(read("1.0D+03"), 1000U);
  EXPECT_EQ(read("1200e-2"), 12U);
  EXPECT_EQ(read("-0.0"), 0U);
  EXPECT_EQ(read("0e999999"), 0U);
  EXPECT_EQ(read("000007.50e1"), 75U);
}

TEST_F(RealWeight, NoDigitIsLostBeyondTheDoubles) {
  EXPECT_EQ(read("9007199254740993.0"), 9007199254740993ULL);
  EXPECT_EQ(read("1.8446744073709551615e19"), 18446744073709551615ULL);
}

TEST_F(RealWeight, OthersAreErrorsThatHelp) {
  expect_error([&] { read("-3"); }, {":1:", "at least 0", "\"-3\""});
  expect_error([&] { read("-1.5"); }, {"at least 0"});
  expect_error([&] { read("0.5"); }, {"whole number", "multiply every value by 10)", "\"0.5\""});
  expect_error([&] { read("0.125"); }, {"multiply every value by 1000)"});
  expect_error([&] { read("1e-3"); }, {"multiply every value by 1000)"});
  expect_error([&] { read("1e-300"); }, {"multiply every value by 1e300)"});
  expect_error([&] { read("18446744073709551616"); }, {"below 2^64"});
  expect_error([&] { read("1e20"); }, {"below 2^64"});
  expect_error([&] { read("1e2000000000"); }, {"below 2^64"});
  for (const char* bad : {"x", "1x", "nan", "inf", "1e", "1e+", "e5", ".", "-", "1.2.3", "1e5x",
                          "1e99999999999", "1e+-5", "0x10"}) {
    expect_error([&] { read(bad); }, {"expected a weight, found"});
  }
  expect_error([&] { read(""); }, {"end of the line"});
}

}  // namespace
}  // namespace kith
