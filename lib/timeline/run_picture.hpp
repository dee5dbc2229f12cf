// The whole run as a picture: what ranks do, in bins of time.
#pragma once

#include <cstdint>
#include <vector>

#include "timeline/fitted_walk.hpp"
#include "timeline/stream.hpp"

namespace kith::timeline {

/// A stretch of a rank that belongs to one phase.
struct PhaseBand {
  std::int32_t number = 0;  ///< of the phase file
  double begin = 0;         ///< seconds since the picture's beginning
  double end = 0;
};

struct RunPicture {
  double seconds = 0;  ///< along the picture
  std::uint32_t bins = 0;
  std::uint32_t block = 1;  ///< ranks of a row
  std::uint32_t rows = 0;
  /// Row by row and bin by bin, how much of the time is of each Shade, 255 for all of it; Shade s
  /// in the bits from 8 s on. What is missing from 255 is not known, or had no processor.
  std::vector<std::uint32_t> shares;
  std::vector<PhaseBand> phases;  ///< of the first rank
  bool is_phases_cut = false;     ///< there are more
};

/// Paints rank by rank. Loops that are short against a bin are painted as a mixture, so that time
/// and memory do not depend on how often they are passed.
class RunPainter {
 public:
  static constexpr std::uint32_t most_rows = 256;
  static constexpr std::uint32_t most_bins = 1200;
  static constexpr std::uint32_t most_cells = 150'000;
  static constexpr std::size_t most_bands = 400;

  /// From `begin`, on the clock of init_seconds, so many seconds on.
  RunPainter(std::uint32_t world_size, double begin, double seconds);
  void add(const RankTimeline& timeline);
  RunPicture take();

 private:
  class Brush;

  RunPicture picture_;
  double begin_;
  std::vector<float> seconds_;        ///< by row, bin and shade
  std::vector<std::uint32_t> ranks_;  ///< by row: how many were added
  bool has_bands_ = false;
};

}  // namespace kith::timeline
