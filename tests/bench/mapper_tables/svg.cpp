#include "mapper_tables/svg.hpp"

#include "mapper_tables/text_table.hpp"

namespace kith::bench {
namespace {

std::string number(double value) {
  return decimal(value, 1);
}

std::string attribute(std::string_view name, std::string_view value) {
  std::string text(1, ' ');
  text.append(name).append("=\"").append(value).append(1, '"');
  return text;
}

std::string attributes(const Stroke& stroke) {
  return attribute("stroke", stroke.colour) + attribute("stroke-width", number(stroke.width)) +
         (stroke.dash.empty() ? "" : attribute("stroke-dasharray", stroke.dash));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

Svg::Svg(int width, int height) {
  const std::string w = std::to_string(width);
  const std::string h = std::to_string(height);
  text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h +
          "\" viewBox=\"0 0 " + w + " " + h + "\" font-family=\"sans-serif\">\n" +
          "<rect width=\"" + w + "\" height=\"" + h + "\" fill=\"#ffffff\"/>\n";
}

void Svg::line(Spot from, Spot to, const Stroke& stroke) {
  polyline({from, to}, stroke);
}

void Svg::polyline(const std::vector<Spot>& spots, const Stroke& stroke) {
  std::string points;
  for (const Spot& spot : spots) {
    points.append(points.empty() ? "" : " ").append(number(spot.x)).append(",");
    points.append(number(spot.y));
  }
  text_ += "<polyline fill=\"none\"" + attribute("points", points) + attributes(stroke) + "/>\n";
}

void Svg::circle(Spot centre, double radius, const std::string& fill, const Stroke& stroke) {
  text_ += "<circle" + attribute("cx", number(centre.x)) + attribute("cy", number(centre.y)) +
           attribute("r", number(radius)) + attribute("fill", fill) + attributes(stroke) + "/>\n";
}

void Svg::text(Spot at, std::string_view text, Anchor anchor, int size, bool rotated) {
  const char* const anchors[] = {"start", "middle", "end"};
  const std::string place = number(at.x) + "," + number(at.y);
  text_ += "<text" + attribute("x", number(at.x)) + attribute("y", number(at.y)) +
           attribute("font-size", std::to_string(size)) +
           attribute("text-anchor", anchors[static_cast<int>(anchor)]) +
           (rotated ? attribute("transform", "rotate(-90," + place + ")") : "") + ">" +
           escaped(text) + "</text>\n";
}

}  // namespace kith::bench
