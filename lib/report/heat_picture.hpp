// The heatmaps of a report side by side, for paper and slides.
#pragma once

#include "report/heat_choice.hpp"
#include "report/picture.hpp"

namespace kith {

/// How large a picture may become.
struct PictureLimits {
  std::uint32_t cells_along_a_side = 128;  ///< at most 512
  std::uint64_t cells = 100'000;           ///< of all heatmaps together
};

/// The matrix of the request in each order of `data`, the first 8, on one scale; with the scale,
/// the ranks along the axes, and what each order makes of the objective. Where it has more cells
/// than `limits` allows, blocks of ranks are one cell.
Picture heat_picture(const ReportData& data, const HeatRequest& request, ScaleKind scale,
                     const PictureLimits& limits);

}  // namespace kith
