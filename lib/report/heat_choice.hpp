// In which resolutions a page shows its heatmaps: as fine as its size allows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/report_data.hpp"

namespace kith {

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

}  // namespace kith
