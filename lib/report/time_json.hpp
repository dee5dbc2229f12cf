// The timeline's part of a report's JSON.
#pragma once

#include "io/format/json_text.hpp"
#include "report/report_data.hpp"

namespace kith {

/// The object of the key "time". Some 1.5 MB at most.
void put_time(JsonText& json, const ReportTime& time);

}  // namespace kith
