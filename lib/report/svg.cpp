#include <fmt/format.h>

#include <map>

#include "report/page.hpp"
#include "report/picture.hpp"

namespace kith {
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

}  // namespace kith
