// What a report shows of the trace whatever the order of the ranks.
#pragma once

#include "inputs.hpp"
#include "report/report_data.hpp"

namespace kith::tools {

/// Title, run, totals, message sizes, load, and the names of the phases. Where the trace does not
/// tell one of them `data.missing` says why. Throws Error (input).
void add_trace_views(const Traffic& traffic, ReportData& data);

/// All matrices of all orders in as many resolutions as fit `most_bytes` of JSON, and what there is
/// to say of each phase. `messages`: null where they are not known; `levels`: null without machine.
void add_matrices(const Traffic& traffic, const TrafficMatrix* messages,
                  const MachineLevels* levels, std::uint64_t most_bytes, ReportData& data);

}  // namespace kith::tools
