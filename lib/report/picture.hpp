// A picture of bars and labels in the colours of the ramp, drawn as SVG or as pixels.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/types.hpp"

namespace kith {

// Colours for amounts: light for few, dark for many, also in grey and for all kinds of colour
// vision.

struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};

/// From the fewest to the most, lightness always falling.
inline constexpr std::size_t ramp_steps = 64;
std::array<Rgb, ramp_steps> colour_ramp();

enum class ScaleKind { logarithmic, linear };

/// Amounts to steps of the ramp. Logarithmic: `least`, the least amount above 0, is the first step
/// and `most` the last; linear: 0 and `most` are.
class ColourScale {
 public:
  ColourScale(Weight least, Weight most, ScaleKind kind);
  std::size_t step(Weight amount) const;

 private:
  double least_;
  double most_;
  ScaleKind kind_;
};

enum class Anchor { start, middle, end };

/// Coordinates count units from the upper left corner; bars lie one over the other in their order,
/// labels above them.
struct Picture {
  struct Bar {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint8_t colour = 0;  ///< index into palette
  };
  struct Label {
    std::uint32_t x = 0;  ///< of its start, middle or end
    std::uint32_t y = 0;  ///< of its base line
    std::string text;     ///< any bytes
    Anchor anchor = Anchor::start;
    bool is_large = false;
  };

  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<Rgb> palette;  ///< at least the next two, at most 256
  std::vector<Bar> bars;
  std::vector<Label> labels;
  std::string title;  ///< for readers who cannot see the picture

  static constexpr std::uint8_t background = 0;
  static constexpr std::uint8_t ink = 1;
};

/// How wide a character of a label is at most.
inline constexpr std::uint32_t small_character_width = 6;
inline constexpr std::uint32_t large_character_width = 9;

/// A complete SVG document. Bars of one colour are one path.
std::string svg_text(const Picture& picture);

/// Pixels as indices into the palette, row by row.
struct Raster {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> pixels;
};
/// With 2 x 2 pixels for a unit. Characters beyond ASCII are drawn as question marks.
Raster rasterized(const Picture& picture);

}  // namespace kith
