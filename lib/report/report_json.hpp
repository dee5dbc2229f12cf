// The report as one JSON document.
#pragma once

#include <string>

#include "report/report_data.hpp"

namespace kith {

/// On one line; README.md here describes it. Valid UTF-8 whatever the names of a trace hold, and
/// without the characters < > & and the line separators of Unicode, which are written as \uXXXX: it
/// may stand in a <script> element.
std::string report_json(const ReportData& data);

/// `text` where it is short; else its beginning, cut between characters, and "...".
std::string clipped(const std::string& text, std::size_t most_bytes);

}  // namespace kith
