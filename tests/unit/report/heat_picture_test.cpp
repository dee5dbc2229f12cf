#include "report/heat_picture.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "report_samples.hpp"

namespace kith {
namespace {

constexpr std::uint8_t first_of_ramp = 3;

ReportData data_with(std::vector<ReportOrder> orders) {
  ReportData data;
  data.title = "t.kith";
  data.run.ranks = orders.front().axis.ranks();
  data.machine = ReportMachine{};
  data.orders = std::move(orders);
  return data;
}

/// Bars of the ramp outside the legend.
std::size_t cells_of(const Picture& picture) {
  return static_cast<std::size_t>(std::ranges::count_if(
             picture.bars, [](const Picture::Bar& bar) { return bar.colour >= first_of_ramp; })) -
         ramp_steps;
}

class HeatPictures : public testing::Test {
 protected:
  Picture draw(const PictureLimits& limits, std::uint32_t orders = 2) {
    std::vector<ReportOrder> all;
    for (std::uint32_t i = 0; i < orders; ++i) {
      all.push_back(order_by_place(random_mapping(100, *machine, i), *machine));
    }
    return heat_picture(data_with(std::move(all)), {"all", traffic}, ScaleKind::logarithmic,
                        limits);
  }

  std::unique_ptr<Machine> machine = parse_machine("tree:10x10");
  TrafficMatrix traffic = random_traffic(100, 900, 1);
};

TEST_F(HeatPictures, ACellForEachPair) {
  EXPECT_EQ(cells_of(draw({})), 2 * traffic.entries());
}

TEST_F(HeatPictures, KeepsItsLimits) {
  EXPECT_LE(cells_of(draw({128, 500})), 500U);
  EXPECT_LE(cells_of(draw({10, 100'000})), 2U * 7 * 7);
  EXPECT_GT(cells_of(draw({10, 100'000})), 0U);
}

TEST_F(HeatPictures, AllBarsAreInside) {
  for (const std::uint32_t orders : {1U, 2U, 5U, 9U}) {
    const Picture picture = draw({}, orders);
    for (const Picture::Bar& bar : picture.bars) {
      EXPECT_LE(bar.x + bar.width, picture.width);
      EXPECT_LE(bar.y + bar.height, picture.height);
      EXPECT_LT(bar.colour, picture.palette.size());
    }
    for (const Picture::Label& label : picture.labels) {
      EXPECT_LE(label.x, picture.width);
      EXPECT_LE(label.y, picture.height);
    }
  }
}

TEST_F(HeatPictures, OfManyOrdersTheFirstEight) {
  const Picture picture = draw({}, 9);
  EXPECT_EQ(cells_of(picture), 8 * traffic.entries());
  EXPECT_TRUE(std::ranges::any_of(
      picture.labels, [](const Picture::Label& label) { return label.text == "8 of 9 orders"; }));
}

TEST(HeatPicture, WithoutTrafficAndRanks) {
  const auto machine = parse_machine("tree:4");
  for (const std::uint32_t ranks : {0U, 4U}) {
    const TrafficMatrix nothing = TrafficMatrixBuilder(ranks).build();
    const ReportData data =
        data_with({order_by_place(identity_mapping(ranks, *machine, 1), *machine)});
    const Picture picture = heat_picture(data, {"all", nothing}, ScaleKind::linear, {});
    EXPECT_EQ(cells_of(picture), 0U);
    EXPECT_FALSE(rasterized(picture).pixels.empty());
  }
}

TEST(Raster, BarsInTwoPixelsForAUnit) {
  Picture picture;
  picture.width = 4;
  picture.height = 3;
  picture.palette.resize(5);
  picture.bars = {{1, 1, 2, 1, 4}, {3, 2, 9, 9, 3}};
  const Raster raster = rasterized(picture);
  EXPECT_EQ(raster.width, 8U);
  ASSERT_EQ(raster.pixels.size(), 48U);
  for (std::uint32_t y = 0; y < 6; ++y) {
    for (std::uint32_t x = 0; x < 8; ++x) {
      const bool in_first = x >= 2 && x < 6 && y >= 2 && y < 4;
      const bool in_second = x >= 6 && y >= 4;
      EXPECT_EQ(raster.pixels[y * 8 + x], in_first ? 4 : in_second ? 3 : 0) << x << "," << y;
    }
  }
}

TEST(Raster, LabelsStandWhereTheyAreAnchored) {
  const auto columns_of = [](Anchor anchor) {
    Picture picture;
    picture.width = 40;
    picture.height = 10;
    picture.palette.resize(2);
    picture.labels = {{20, 9, "II", anchor}};
    const Raster raster = rasterized(picture);
    std::uint32_t first = raster.width;
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < raster.pixels.size(); ++i) {
      if (raster.pixels[i] != Picture::ink) continue;
      const auto column = static_cast<std::uint32_t>(i % raster.width);
      first = std::min(first, column);
      last = std::max(last, column);
    }
    return std::pair(first, last);
  };
  EXPECT_GE(columns_of(Anchor::start).first, 40U);
  EXPECT_LE(columns_of(Anchor::end).second, 40U);
  EXPECT_LT(columns_of(Anchor::middle).first, 40U);
  EXPECT_GT(columns_of(Anchor::middle).second, 40U);
}

TEST(BitmapFont, KnowsAsciiAndMarksTheRest) {
  EXPECT_EQ(glyph_of('\xE9'), glyph_of('?'));
  EXPECT_EQ(glyph_of('\n'), glyph_of('?'));
  for (char c = '!'; c < '~'; ++c) {
    for (char other = '!'; other < c; ++other)
      EXPECT_NE(glyph_of(c), glyph_of(other)) << c << other;
  }
}

TEST(Svg, NamesAreText) {
  Picture picture;
  picture.width = 10;
  picture.height = 10;
  picture.palette.resize(3);
  picture.title = "</title><script>";
  picture.labels = {{1, 1, "<b>&\x1b"}};
  const std::string text = svg_text(picture);
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find("<b>"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_THAT(text, testing::HasSubstr("&lt;b&gt;&amp; </text>"));
}

}  // namespace
}  // namespace kith
