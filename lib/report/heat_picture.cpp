#include "report/heat_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/plain_text.hpp"
#include "report/report_json.hpp"

namespace kith {
namespace {

constexpr std::size_t most_heatmaps = 8;
constexpr std::size_t heatmaps_in_a_row = 4;
/// In units of the picture.
constexpr std::uint32_t panel_size = 512;
constexpr std::uint32_t left_margin = 56;
constexpr std::uint32_t top_margin = 56;
constexpr std::uint32_t right_margin = 16;
constexpr std::uint32_t above_panel = 24;
constexpr std::uint32_t below_panel = 28;
constexpr std::uint32_t legend_height = 48;

constexpr std::uint8_t frame_colour = 2;
constexpr std::uint8_t first_of_ramp = 3;

std::vector<Rgb> palette() {
  std::vector<Rgb> colours{{255, 255, 255}, {0x22, 0x22, 0x22}, {0xBB, 0xBB, 0xBB}};
  for (const Rgb colour : colour_ramp()) colours.push_back(colour);
  return colours;
}

/// All heatmaps at the finest resolution that the limits allow.
std::vector<HeatLevel> levels_of(const ReportData& data, const HeatRequest& request,
                                 const PictureLimits& limits) {
  const std::size_t count = std::min(data.orders.size(), most_heatmaps);
  const std::uint32_t ranks = request.bytes.ranks();
  const std::uint32_t side = std::min(limits.cells_along_a_side, panel_size);
  std::uint32_t block = std::bit_ceil(std::max((ranks + side - 1) / side, 1U));
  while (true) {
    std::vector<HeatLevel> levels;
    std::uint64_t cells = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const ReportOrder& order = data.orders[i];
      levels.push_back(*heat_level({request.bytes, nullptr, order.axis}, block, UINT64_MAX));
      cells += levels.back().cells.size();
    }
    if (cells <= limits.cells || levels[0].side <= 1) return levels;
    block *= 2;
  }
}

class HeatPicture {
 public:
  HeatPicture(const ReportData& data, std::vector<HeatLevel> levels, ScaleKind scale)
      : data_(data), levels_(std::move(levels)), kind_(scale), scale_(scale_of(levels_, scale)) {
    picture_.palette = palette();
  }

  Picture draw() {
    const auto count = static_cast<std::uint32_t>(levels_.size());
    const std::uint32_t columns = std::min<std::uint32_t>(count, heatmaps_in_a_row);
    const std::uint32_t rows = (count + columns - 1) / columns;
    picture_.width = columns * (left_margin + panel_size) + right_margin;
    picture_.height = top_margin + rows * (above_panel + panel_size + below_panel) + legend_height;
    draw_title();
    for (std::uint32_t i = 0; i < count; ++i) {
      draw_heatmap(
          i, left_margin + i % columns * (left_margin + panel_size),
          top_margin + above_panel + i / columns * (above_panel + panel_size + below_panel));
    }
    draw_legend(left_margin, picture_.height - legend_height);
    return std::move(picture_);
  }

 private:
  static ColourScale scale_of(const std::vector<HeatLevel>& levels, ScaleKind kind) {
    const auto [least, most] = extremes(levels);
    return {least, most, kind};
  }

  struct Extremes {
    Weight least;
    Weight most;
  };
  static Extremes extremes(const std::vector<HeatLevel>& levels) {
    Extremes found{UINT64_MAX, 0};
    for (const HeatLevel& level : levels) {
      for (const HeatCell& cell : level.cells) {
        found = {std::min(found.least, cell.bytes), std::max(found.most, cell.bytes)};
      }
    }
    return found.most == 0 ? Extremes{0, 0} : found;
  }

  void label(std::uint32_t x, std::uint32_t y, std::string text, Anchor anchor = Anchor::start,
             bool is_large = false) {
    picture_.labels.push_back({x, y, std::move(text), anchor, is_large});
  }

  void draw_title() {
    const std::size_t most = (panel_size + right_margin) / large_character_width;
    label(left_margin, 24, clipped(data_.title, most), Anchor::start, true);
    picture_.title = fmt::format("Who sends how much to whom in {}", clipped(data_.title, 200));
    std::string text = "Bytes from senders (down) to receivers (across)";
    text += data_.machine ? ", ranks in the order in which they sit" : ", by rank";
    label(left_margin, 42, text);
    if (data_.orders.size() > levels_.size()) {
      label(left_margin, 54, fmt::format("{} of {} orders", levels_.size(), data_.orders.size()));
    }
  }

  void draw_heatmap(std::uint32_t index, std::uint32_t x, std::uint32_t y) {
    const HeatLevel& level = levels_[index];
    const ReportOrder& order = data_.orders[index];
    const std::uint32_t unit = std::max(panel_size / std::max(level.side, 1U), 1U);
    const std::uint32_t size = unit * level.side;
    frame(x, y, size);
    for (const HeatCell& cell : level.cells) {
      if (cell.bytes == 0) continue;
      picture_.bars.push_back({x + cell.column * unit, y + cell.row * unit, unit, unit,
                               static_cast<std::uint8_t>(first_of_ramp + scale_.step(cell.bytes))});
    }
    std::string name = clipped(order.name, 40);
    if (order.ratio && index > 0) {
      name += fmt::format(": {} {:.2f} of that of the {}", data_.objective, *order.ratio,
                          clipped(data_.orders.front().name, 40));
    }
    label(x, y - 8, name);
    ticks(x, y, size);
  }

  void frame(std::uint32_t x, std::uint32_t y, std::uint32_t size) {
    picture_.bars.push_back({x - 1, y - 1, size + 2, 1, frame_colour});
    picture_.bars.push_back({x - 1, y + size, size + 2, 1, frame_colour});
    picture_.bars.push_back({x - 1, y, 1, size, frame_colour});
    picture_.bars.push_back({x + size, y, 1, size, frame_colour});
  }

  /// The first and the last rank, or position where ranks are not in order.
  void ticks(std::uint32_t x, std::uint32_t y, std::uint32_t size) {
    const std::string last = fmt::format("{}", std::max(data_.run.ranks, 1U) - 1);
    label(x - 4, y + 9, "0", Anchor::end);
    label(x - 4, y + size, last, Anchor::end);
    label(x, y + size + 14, "0");
    label(x + size, y + size + 14, last, Anchor::end);
  }

  void draw_legend(std::uint32_t x, std::uint32_t y) {
    const auto [least, most] = extremes(levels_);
    constexpr std::uint32_t width = panel_size / ramp_steps / 2;
    for (std::uint32_t i = 0; i < ramp_steps; ++i) {
      picture_.bars.push_back(
          {x + i * width, y, width, 12, static_cast<std::uint8_t>(first_of_ramp + i)});
    }
    const bool is_linear = kind_ == ScaleKind::linear;
    label(x, y + 26, is_linear ? "0" : short_bytes(least));
    label(x + ramp_steps * width, y + 26, short_bytes(most), Anchor::end);
    std::string text = is_linear ? "linear scale" : "logarithmic scale";
    if (levels_[0].block > 1) {
      text += fmt::format("; each cell {0} x {0} ranks", levels_[0].block);
    }
    label(x + ramp_steps * width + 16, y + 10, text);
  }

  const ReportData& data_;
  std::vector<HeatLevel> levels_;
  ScaleKind kind_;
  ColourScale scale_;
  Picture picture_;
};

}  // namespace

Picture heat_picture(const ReportData& data, const HeatRequest& request, ScaleKind scale,
                     const PictureLimits& limits) {
  return HeatPicture(data, levels_of(data, request, limits), scale).draw();
}

}  // namespace kith
