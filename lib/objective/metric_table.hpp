// The metrics of a mapping by name, one row each: what JSON, tables, help and the report's page
// call them and say about them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "kith/objective.hpp"

namespace kith {

/// std::monostate: not known for this machine. The list is level_bytes: empty without levels.
using MetricValue = std::variant<std::monostate, std::uint64_t, double, Quantity,
                                 std::vector<std::uint64_t>, NumaBytes>;

struct Metric {
  std::string_view name;  ///< the key in JSON and the row of `kith eval`: "hop_bytes"
  std::string_view
      unit;  ///< "bytes", which are shown with a prefix where they are many, or "number"
  std::string_view label;    ///< on the report's page; empty: it is not there
  std::string_view group;    ///< the question that it answers: rows of one group follow each other
  std::string_view meaning;  ///< one line
  MetricValue (*value)(const Metrics& metrics);
  std::string_view absent = "unknown";  ///< in text, instead of std::monostate
};

/// In the order of JSON and of `kith eval`.
std::span<const Metric> metric_table();

}  // namespace kith
