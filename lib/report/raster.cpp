#include <algorithm>

#include "report/bitmap_font.hpp"
#include "report/picture.hpp"

namespace kith {
namespace {

constexpr std::uint32_t pixels_per_unit = 2;
/// Pixels along a dot of a letter.
constexpr std::uint32_t small_dot = 2;
constexpr std::uint32_t large_dot = 3;
static_assert((glyph_width + 1) * small_dot == pixels_per_unit * small_character_width);
static_assert((glyph_width + 1) * large_dot == pixels_per_unit * large_character_width);

class Painter {
 public:
  explicit Painter(const Picture& picture) {
    raster_.width = picture.width * pixels_per_unit;
    raster_.height = picture.height * pixels_per_unit;
    raster_.pixels.assign(std::size_t{raster_.width} * raster_.height, Picture::background);
  }

  /// Of what lies outside only the part inside is painted.
  void fill(std::uint64_t x, std::uint64_t y, std::uint64_t width, std::uint64_t height,
            std::uint8_t colour) {
    const std::uint64_t right = std::min<std::uint64_t>(x + width, raster_.width);
    const std::uint64_t bottom = std::min<std::uint64_t>(y + height, raster_.height);
    for (std::uint64_t row = y; row < bottom; ++row) {
      for (std::uint64_t column = x; column < right; ++column) {
        raster_.pixels[row * raster_.width + column] = colour;
      }
    }
  }

  void write(const Picture::Label& label) {
    const std::uint32_t dot = label.is_large ? large_dot : small_dot;
    const std::string text = one_byte_characters(label.text);
    const std::uint64_t width = text.size() * (glyph_width + 1) * dot;
    std::uint64_t x = label.x * pixels_per_unit;
    if (label.anchor == Anchor::middle) x -= std::min(x, width / 2);
    if (label.anchor == Anchor::end) x -= std::min(x, width);
    const std::uint64_t base = label.y * pixels_per_unit;
    const std::uint64_t top = base - std::min<std::uint64_t>(base, glyph_height * dot);
    for (const char character : text) {
      write(character, x, top, dot);
      x += (glyph_width + 1) * dot;
    }
  }

  Raster take() { return std::move(raster_); }

 private:
  void write(char character, std::uint64_t x, std::uint64_t y, std::uint32_t dot) {
    const auto& glyph = glyph_of(character);
    for (std::uint32_t row = 0; row < glyph_height; ++row) {
      for (std::uint32_t column = 0; column < glyph_width; ++column) {
        if ((glyph[row] >> (glyph_width - 1 - column) & 1) == 0) continue;
        fill(x + column * dot, y + row * dot, dot, dot, Picture::ink);
      }
    }
  }

  /// Each character outside ASCII becomes one byte outside ASCII.
  static std::string one_byte_characters(const std::string& text) {
    std::string out;
    for (const char c : text) {
      const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
      if (!continues) out += c;
    }
    return out;
  }

  Raster raster_;
};

}  // namespace

Raster rasterized(const Picture& picture) {
  Painter painter(picture);
  for (const Picture::Bar& bar : picture.bars) {
    painter.fill(std::uint64_t{bar.x} * pixels_per_unit, std::uint64_t{bar.y} * pixels_per_unit,
                 std::uint64_t{bar.width} * pixels_per_unit,
                 std::uint64_t{bar.height} * pixels_per_unit, bar.colour);
  }
  for (const Picture::Label& label : picture.labels) painter.write(label);
  return painter.take();
}

}  // namespace kith
