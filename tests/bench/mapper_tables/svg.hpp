// A picture as text: as much of SVG as plots need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kith::bench {

/// Pixels, from the upper left corner.
struct Spot {
  double x;
  double y;
};

enum class Anchor { start, middle, end };

/// How a line looks. `dash`: lengths of strokes and gaps, "6 4"; empty: solid.
struct Stroke {
  std::string colour = "#000000";
  double width = 1;
  std::string dash{};
};

class Svg {
 public:
  Svg(int width, int height);
  void line(Spot from, Spot to, const Stroke& stroke);
  void polyline(const std::vector<Spot>& spots, const Stroke& stroke);
  void circle(Spot centre, double radius, const std::string& fill, const Stroke& stroke);
  /// `rotated`: read from bottom to top.
  void text(Spot at, std::string_view text, Anchor anchor, int size = 12, bool rotated = false);
  /// The whole document.
  std::string document() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

}  // namespace kith::bench
