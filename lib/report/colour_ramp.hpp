// Colours for amounts: light for few, dark for many, also in grey and for all kinds of colour
// vision.
#pragma once

#include <array>
#include <cstdint>

#include "kith/types.hpp"

namespace kith {

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

}  // namespace kith
