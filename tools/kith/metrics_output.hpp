// Metrics as JSON and as text: the same names everywhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/format/json_text.hpp"
#include "kith/mapping.hpp"
#include "kith/objective.hpp"

namespace kith::tools {

/// {"hop_bytes": ..., "hops_per_byte": ..., ...}: null where a metric is unknown.
void put_metrics(JsonText& json, const Metrics& metrics);

/// [slot of rank 0, ...] on one line.
void put_mapping(JsonText& json, const Mapping& mapping);

/// Whole where it is, else a decimal number.
void put_quantity(JsonText& json, const Quantity& quantity);
std::string quantity_text(const Quantity& quantity);
/// The lower bound of the objective; null where none is known.
void put_bound(JsonText& json, const std::optional<Quantity>& bound);

/// A table, one line per metric, a column per mapping; `titles` as long as `columns`.
std::string metrics_table(const std::vector<std::string>& titles,
                          const std::vector<Metrics>& columns);

/// The objective as a person reads it, in the metric's own unit.
std::string objective_text(const Metrics& metrics, Objective objective);

/// metrics / baseline of the objective; nothing where the baseline is 0.
std::optional<double> objective_ratio(const Metrics& metrics, const Metrics& baseline,
                                      Objective objective);

}  // namespace kith::tools
