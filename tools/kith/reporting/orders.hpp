// The orders that a report compares, and what they make of the traffic.
#pragma once

#include <memory>

#include "report/report_data.hpp"
#include "reporting/command.hpp"

namespace kith::tools {

/// The present order, kith's own where it would reorder, and each --mapping, with all that is said
/// of them but their matrices; the machine, objective, bound; who the biggest talkers are. Without
/// a machine (null) only the present order, by rank.
void add_orders(const ReportCommand& command, const ReportWishes& wishes, const Traffic& traffic,
                const Machine* machine, ReportData& data);

}  // namespace kith::tools
