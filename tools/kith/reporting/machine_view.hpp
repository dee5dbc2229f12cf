// The machine as a report pictures it.
#pragma once

#include <span>

#include "report/report_data.hpp"

namespace kith::tools {

/// With the hosts on which any of `mappings`, at least one, has a rank.
ReportMachine machine_view(const Machine& machine, const MachineLevels& levels,
                           std::span<const Mapping* const> mappings);

}  // namespace kith::tools
