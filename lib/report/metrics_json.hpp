// Metrics as JSON: the same names everywhere.
#pragma once

#include "io/format/json_text.hpp"
#include "kith/objective.hpp"

namespace kith {

/// {"hop_bytes": ..., "hops_per_byte": ..., ...}: null where a metric is unknown.
void put_metrics(JsonText& json, const Metrics& metrics);

/// Whole where it is, else a decimal number.
void put_quantity(JsonText& json, const Quantity& quantity);

}  // namespace kith
