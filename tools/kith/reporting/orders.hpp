// The orders that a report compares, and what they make of the traffic.
#pragma once

#include <optional>

#include "kith/reorder.hpp"
#include "report/report_data.hpp"
#include "reporting/command.hpp"

namespace kith::tools {

/// The present order, the recorded one where that is another, kith's own where it would reorder,
/// and each --mapping, with all that is said of them but their matrices; machine, objective, bound
/// and the biggest talkers. Returns what Kith would do in a job; nothing where no job could hold
/// the ranks. Throws Error (input) for a mapping that does not fit.
std::optional<ReorderDecision> add_orders(const ReportCommand& command, const Traffic& traffic,
                                          const Machine& machine, ReportData& data);

/// Without a machine: the ranks by number.
void add_order_by_rank(const Traffic& traffic, ReportData& data);

}  // namespace kith::tools
