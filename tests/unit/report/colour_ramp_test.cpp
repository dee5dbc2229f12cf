#include "report/picture.hpp"

#include <gtest/gtest.h>

namespace kith {
namespace {

double lightness(Rgb colour) {
  return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
}

TEST(ColourRamp, GetsDarkerStepByStep) {
  const auto ramp = colour_ramp();
  for (std::size_t i = 1; i < ramp.size(); ++i) {
    EXPECT_LT(lightness(ramp[i]), lightness(ramp[i - 1])) << i;
  }
}

TEST(ColourScale, Logarithmic) {
  const ColourScale scale(10, 100000, ScaleKind::logarithmic);
  EXPECT_EQ(scale.step(10), 0U);
  EXPECT_EQ(scale.step(1000), 32U);
  EXPECT_EQ(scale.step(100000), 63U);
  EXPECT_EQ(scale.step(0), 0U);
}

TEST(ColourScale, Linear) {
  const ColourScale scale(10, 630, ScaleKind::linear);
  EXPECT_EQ(scale.step(0), 0U);
  EXPECT_EQ(scale.step(10), 1U);
  EXPECT_EQ(scale.step(630), 63U);
}

TEST(ColourScale, WhereAllAreEqualTheLast) {
  EXPECT_EQ(ColourScale(7, 7, ScaleKind::logarithmic).step(7), 63U);
  EXPECT_EQ(ColourScale(UINT64_MAX, UINT64_MAX, ScaleKind::linear).step(UINT64_MAX), 63U);
  EXPECT_EQ(ColourScale(0, 0, ScaleKind::linear).step(0), 0U);
}

}  // namespace
}  // namespace kith
