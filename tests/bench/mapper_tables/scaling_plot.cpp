#include "mapper_tables/scaling_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "mapper_tables/options.hpp"
#include "mapper_tables/svg.hpp"
#include "mapper_tables/text_table.hpp"

namespace kith::bench {
namespace {

constexpr int panel_width = 320;
constexpr int panel_height = 300;
constexpr int left_margin = 70;
constexpr int top_margin = 50;
constexpr int panel_step = left_margin + panel_width + 20;
constexpr int legend_height = 80;
const Stroke frame{"#404040", 1};
const Stroke grid_line{"#dddddd", 1};
const Stroke slope_line{"#808080", 1, "2 3"};

/// A logarithmic axis.
struct Axis {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return high <= 0; }
  /// Some room at both ends.
  void widen() {
    const double room = std::max(1.02, std::pow(high / low, 0.04));
    low /= room;
    high *= room;
  }
  /// 0 at the low end, 1 at the high one.
  double place(double value) const { return std::log(value / low) / std::log(high / low); }

  /// Powers of ten, with 2 and 5 times them where these are few; on a short axis even steps.
  std::vector<double> ticks() const {
    std::vector<double> found;
    const double decades = std::log10(high / low);
    if (decades < 0.7) {
      const double step = even_step((high - low) / 5);
      for (double t = std::ceil(low / step) * step; t <= high; t += step) found.push_back(t);
      return found;
    }
    const double power = std::pow(10, std::floor(std::log10(low)));
    for (double p = power; p <= high; p *= 10) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const bool is_shown = factor == 1.0 || decades < 2.5;
        if (is_shown && p * factor >= low && p * factor <= high) found.push_back(p * factor);
      }
    }
    return found;
  }

 private:
  /// 1, 2 or 5 times a power of ten, at least `least`.
  static double even_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (power * factor >= least) return power * factor;
    }
    return power * 10;
  }
};

struct Quantity {
  const char* title;
  double ScalingPoint::*value;
  bool with_slope;  ///< a line that is proportional to the ranks
};
constexpr Quantity quantities[] = {
    {"seconds", &ScalingPoint::wall_s, true},
    {"peak memory, MB", &ScalingPoint::peak_mb, true},
    {"objective / lower bound", &ScalingPoint::quality, false},
};

std::string value_label(double value) {
  std::string text = decimal(value, value < 0.01 ? 3 : 2);
  while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
    const bool is_point = text.back() == '.';
    text.pop_back();
    if (is_point) break;
  }
  return text;
}

std::string rank_label(double ranks) {
  if (ranks >= 1e6) return value_label(ranks / 1e6) + "M";
  return ranks >= 1e3 ? value_label(ranks / 1e3) + "k" : value_label(ranks);
}

/// Where the values of one quantity lie.
class Panel {
 public:
  Panel(int index, const Quantity& quantity, const std::vector<ScalingSeries>& all)
      : left_(left_margin + index * panel_step), quantity_(quantity) {
    for (const ScalingSeries& series : all) {
      for (const ScalingPoint& point : series.points) {
        x_.include(point.ranks);
        if (point.*quantity.value > 0) y_.include(point.*quantity.value);
      }
    }
    if (!quantity.with_slope) y_.include(1);
    x_.widen();
    y_.widen();
  }

  void draw_frame(Svg& svg) const {
    for (const double tick : x_.ticks()) {
      const double x = spot(tick, y_.low).x;
      svg.line({x, top_margin}, {x, bottom()}, grid_line);
      svg.text({x, bottom() + 18}, rank_label(tick), Anchor::middle);
    }
    for (const double tick : y_.ticks()) {
      const double y = spot(x_.low, tick).y;
      svg.line({left_, y}, {left_ + panel_width, y}, grid_line);
      svg.text({left_ - 6, y + 4}, value_label(tick), Anchor::end);
    }
    const double right = left_ + panel_width;
    svg.polyline({{left_, top_margin},
                  {right, top_margin},
                  {right, bottom()},
                  {left_, bottom()},
                  {left_, top_margin}},
                 frame);
    svg.text({left_ + panel_width / 2.0, bottom() + 38}, "ranks", Anchor::middle);
    svg.text({left_ + panel_width / 2.0, top_margin - 12}, quantity_.title, Anchor::middle, 14);
  }

  /// Somewhat above the middle of the panel's right end.
  void draw_slope(Svg& svg) const {
    if (!quantity_.with_slope) return;
    const double end = y_.low * std::pow(y_.high / y_.low, 0.6);
    const double from = std::max(x_.low, x_.high * y_.low / end);
    svg.line(spot(from, end * from / x_.high), spot(x_.high, end), slope_line);
  }

  void draw(Svg& svg, const ScalingSeries& series, const Stroke& stroke,
            const std::string& fill) const {
    std::vector<Spot> spots;
    for (const ScalingPoint& point : series.points) {
      if (point.*quantity_.value > 0) spots.push_back(spot(point.ranks, point.*quantity_.value));
    }
    svg.polyline(spots, stroke);
    for (const Spot& at : spots) svg.circle(at, 3, fill, {stroke.colour, 1.2});
  }

  bool empty() const { return y_.empty(); }

 private:
  double bottom() const { return top_margin + panel_height; }
  Spot spot(double ranks, double value) const {
    return {left_ + x_.place(ranks) * panel_width, bottom() - y_.place(value) * panel_height};
  }

  double left_;
  const Quantity& quantity_;
  Axis x_;
  Axis y_;
};

/// Which colour, dash and mark stands for what, in the order of appearance.
class Legend {
 public:
  explicit Legend(const std::vector<ScalingSeries>& all) {
    for (const ScalingSeries& series : all) {
      add(patterns_, series.pattern);
      add(efforts_, series.effort);
      add(threads_, series.threads);
    }
  }

  Stroke stroke(const ScalingSeries& series) const {
    return {colour(index(patterns_, series.pattern)), 1.8, dash(index(efforts_, series.effort))};
  }
  std::string fill(const ScalingSeries& series) const {
    return mark(index(threads_, series.threads), stroke(series).colour);
  }

  void draw(Svg& svg) const {
    const double y = top_margin + panel_height + 70;
    double x = left_margin;
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      svg.line({x, y - 4}, {x + 30, y - 4}, {colour(i), 3});
      x = label(svg, x + 36, y, patterns_[i]);
    }
    for (std::size_t i = 0; i < efforts_.size(); ++i) {
      svg.line({x, y - 4}, {x + 40, y - 4}, {"#000000", 1.8, dash(i)});
      x = label(svg, x + 46, y, "effort " + std::string(name_of(efforts_[i])));
    }
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      svg.circle({x + 4, y - 4}, 3, mark(i, "#000000"), {"#000000", 1.2});
      const char* const unit = threads_[i] == 1 ? " thread" : " threads";
      x = label(svg, x + 12, y, std::to_string(threads_[i]) + unit);
    }
    svg.line({x, y - 4}, {x + 30, y - 4}, slope_line);
    label(svg, x + 36, y, "~ ranks");
  }

 private:
  template <class T>
  static void add(std::vector<T>& known, const T& value) {
    if (std::ranges::find(known, value) == known.end()) known.push_back(value);
  }
  template <class T>
  static std::size_t index(const std::vector<T>& known, const T& value) {
    return static_cast<std::size_t>(std::ranges::find(known, value) - known.begin());
  }
  static std::string colour(std::size_t i) {
    static const char* const colours[] = {"#1f6fb4", "#d6541c", "#2c8f3c", "#7a4fb0"};
    return colours[i % std::size(colours)];
  }
  static std::string dash(std::size_t i) {
    static const char* const dashes[] = {"", "8 4", "2 3"};
    return dashes[i % std::size(dashes)];
  }
  static std::string mark(std::size_t i, const std::string& colour) {
    return i == 0 ? colour : "#ffffff";
  }
  /// Where the next entry begins.
  static double label(Svg& svg, double x, double y, const std::string& text) {
    svg.text({x, y}, text, Anchor::start, 13);
    return x + 7.4 * static_cast<double>(text.size()) + 22;
  }

  std::vector<std::string> patterns_;
  std::vector<Effort> efforts_;
  std::vector<unsigned> threads_;
};

}  // namespace

std::string draw_scaling(const std::vector<ScalingSeries>& all) {
  Svg svg(static_cast<int>(std::size(quantities)) * panel_step + left_margin / 2,
          top_margin + panel_height + legend_height + 20);
  const Legend legend(all);
  int index = 0;
  for (const Quantity& quantity : quantities) {
    const Panel panel(index++, quantity, all);
    if (panel.empty()) continue;
    panel.draw_frame(svg);
    panel.draw_slope(svg);
    for (const ScalingSeries& series : all) {
      panel.draw(svg, series, legend.stroke(series), legend.fill(series));
    }
  }
  legend.draw(svg);
  return svg.document();
}

}  // namespace kith::bench
