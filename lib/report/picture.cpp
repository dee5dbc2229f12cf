#include "report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/heat_picture.hpp"
#include "report/page.hpp"

namespace kith {

std::array<Rgb, ramp_steps> colour_ramp() {
  // As RAMP_LIGHT of page/colour.js.
  static constexpr Rgb anchors[] = {{0xD9, 0xEB, 0xDD}, {0x9B, 0xD0, 0xC0}, {0x4F, 0xA9, 0xB3},
                                    {0x28, 0x78, 0xA6}, {0x1F, 0x46, 0x87}, {0x1C, 0x1A, 0x4F}};
  constexpr std::size_t spans = std::size(anchors) - 1;
  const auto mixed = [](std::uint8_t from, std::uint8_t to, double share) {
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * share));
  };
  std::array<Rgb, ramp_steps> ramp;
  for (std::size_t i = 0; i < ramp_steps; ++i) {
    const double at = static_cast<double>(i * spans) / (ramp_steps - 1);
    const auto lower = std::min(static_cast<std::size_t>(at), spans - 1);
    const double share = at - static_cast<double>(lower);
    const Rgb& from = anchors[lower];
    const Rgb& to = anchors[lower + 1];
    ramp[i] = {mixed(from.red, to.red, share), mixed(from.green, to.green, share),
               mixed(from.blue, to.blue, share)};
  }
  return ramp;
}

ColourScale::ColourScale(Weight least, Weight most, ScaleKind kind)
    : least_(static_cast<double>(std::max<Weight>(least, 1))),
      most_(static_cast<double>(std::max<Weight>(most, 1))),
      kind_(kind) {}

std::size_t ColourScale::step(Weight amount) const {
  const auto value = static_cast<double>(amount);
  double share = 1;  // all are equal
  if (kind_ == ScaleKind::linear) {
    share = value / most_;
  } else if (least_ < most_) {
    share = value < least_ ? 0 : std::log(value / least_) / std::log(most_ / least_);
  }
  return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (ramp_steps - 1)));
}

namespace {

std::string colour_text(Rgb colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string_view anchor_text(Anchor anchor) {
  switch (anchor) {
    case Anchor::middle:
      return "middle";
    case Anchor::end:
      return "end";
    case Anchor::start:
      break;
  }
  return "start";
}

std::string label_text(const Picture::Label& label) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", label.x, label.y,
                     anchor_text(label.anchor), label.is_large ? " font-size=\"15\"" : "",
                     as_html(label.text));
}

}  // namespace

std::string svg_text(const Picture& picture) {
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" font-family=\"sans-serif\" font-size=\"10\" fill=\"{2}\">\n"
      "<title>{3}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"{4}\"/>\n",
      picture.width, picture.height, colour_text(picture.palette[Picture::ink]),
      as_html(picture.title), colour_text(picture.palette[Picture::background]));
  // In the order of their colours: bars that lie over others have the later ones.
  std::map<std::uint8_t, std::string> paths;
  for (const Picture::Bar& bar : picture.bars) {
    paths[bar.colour] +=
        fmt::format("M{} {}h{}v{}h-{}z", bar.x, bar.y, bar.width, bar.height, bar.width);
  }
  for (const auto& [colour, path] : paths) {
    text += fmt::format("<path fill=\"{}\" shape-rendering=\"crispEdges\" d=\"{}\"/>\n",
                        colour_text(picture.palette[colour]), path);
  }
  for (const Picture::Label& label : picture.labels) text += label_text(label);
  return text + "</svg>\n";
}

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
