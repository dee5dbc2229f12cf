// The report as one JSON document, and the metrics as a part of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/format/json_text.hpp"
#include "kith/objective.hpp"
#include "report/report_data.hpp"

namespace kith {

/// On one line; README.md here describes it. Valid UTF-8 whatever the names of a trace hold, and
/// without the characters < > & and the line separators of Unicode, which are written as \uXXXX: it
/// may stand in a <script> element.
std::string report_json(const ReportData& data);

/// `text` where it is short; else its beginning, cut between characters, and "...".
std::string clipped(const std::string& text, std::size_t most_bytes);

/// The numbers as 4 bytes each, lowest first, in base64 (RFC 4648, section 4).
std::string base64_of(std::span<const std::uint32_t> numbers);

// Metrics as JSON: the same names everywhere.

/// {"hop_bytes": ..., "hops_per_byte": ..., ...}: null where a metric is unknown.
void put_metrics(JsonText& json, const Metrics& metrics);

/// Whole where it is, else a decimal number.
void put_quantity(JsonText& json, const Quantity& quantity);

/// "cells": [row, column, bytes, messages, level, row, ...].
void put_cells(JsonText& json, const HeatLevel& level);

/// The timeline's part, the object of the key "time" (time_json.cpp). Some 1.5 MB at most.
void put_time(JsonText& json, const ReportTime& time);

/// The objects of the keys "seconds" and, of an order, "predicted" (time_json.cpp).
void put_seconds(JsonText& json, const ReportSeconds& seconds);
void put_prediction(JsonText& json, const ReportPrediction& predicted);

/// The object of the key "threads" (threads_json.cpp).
void put_threads(JsonText& json, const ReportThreads& threads);

/// "binding": [{"rule", "what", "mend", "ranks", "hosts"}], with "more_hosts" where a mistake is on
/// more than `most_hosts` (threads_json.cpp).
void put_binding(JsonText& json, const std::vector<BindingFault>& faults,
                 std::size_t most_hosts = SIZE_MAX);

}  // namespace kith
