// The heatmaps of a report side by side, for paper and slides: which are shown, and their text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "report/picture.hpp"
#include "report/report_data.hpp"

namespace kith {

// In which resolutions a page shows its heatmaps: as fine as its size allows.

/// One matrix for several orders.
struct HeatRequest {
  std::string name;  ///< "all", "phase:0"
  const TrafficMatrix& bytes;
  const TrafficMatrix* messages = nullptr;  ///< null: not known
  const MachineLevels* levels = nullptr;    ///< null: no machine
};

/// Adds the matrix to each order. The coarsest resolution is the same for all: at most 128 cells
/// along a side, fewer where these would not fit. Finer ones follow, in steps of powers of two,
/// down to single ranks, while all of them together take at most `most_bytes` of JSON; the bytes
/// that one order does not need go to the others. A resolution that has more than half of the cells
/// of the next finer one is left out: it would show the same again. Adds nothing where not even 8 x
/// 8 cells fit. Returns the bytes taken.
std::uint64_t add_heat_matrices(const HeatRequest& request, std::uint64_t most_bytes,
                                std::vector<ReportOrder>& orders);

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

// Letters of 5 x 7 dots, so that pictures look the same wherever they are made.

inline constexpr std::uint32_t glyph_width = 5;
inline constexpr std::uint32_t glyph_height = 7;

/// Rows from the top, the leftmost dot in bit 4. Anything but printable ASCII is a question mark.
const std::array<std::uint8_t, glyph_height>& glyph_of(char character);

}  // namespace kith
