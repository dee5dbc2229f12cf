// What a report says in plain words.
#pragma once

#include <optional>

#include "inputs.hpp"
#include "kith/reorder.hpp"
#include "report/report_data.hpp"
#include "reporting/command.hpp"

namespace kith::tools {

/// Headline, where the traffic is, what a better order would do, what Kith would do and why, and
/// what to type next. `decision`: nothing where there is none. Without seconds: the same input
/// gives the same words.
ReportSummary summary_words(const ReportCommand& command, const ReportData& data,
                            const std::optional<ReorderDecision>& decision);

}  // namespace kith::tools
