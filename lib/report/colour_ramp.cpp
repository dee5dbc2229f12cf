#include "report/colour_ramp.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace kith
