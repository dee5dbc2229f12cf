// Results that several subcommands have, as JSON and as text: metrics, bounds, mappings, and who
// sits where. The same names everywhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/format/json_text.hpp"
#include "io/format/places_text.hpp"
#include "kith/detail/goal.hpp"
#include "kith/detail/lower_bound.hpp"
#include "kith/detail/reorder.hpp"
#include "kith/mapping.hpp"
#include "report/report_json.hpp"

namespace kith::tools {

/// [slot of rank 0, ...] on one line.
void put_mapping(JsonText& json, const Mapping& mapping);

std::string quantity_text(const Quantity& quantity);
/// "bound", "bound_reason", "gap": the lower bound of the objective and how far an answer is above
/// it; null where not known.
void put_bound(JsonText& json, const std::optional<LowerBound>& bound, std::optional<double> gap);

/// What exhaustive search has proven optimal.
LowerBound proven_bound(const Goal& goal, const Metrics& optimal);

/// How far above the bound what is minimised is, as a fraction of the bound: 0 is optimal. Nothing
/// without a bound, or where it is 0 and the goal is not.
std::optional<double> gap_above(const std::optional<LowerBound>& bound, const Goal& goal,
                                const Metrics& metrics);

/// How far from the optimum an objective is at most: "at most 1.8% above the optimum (lower bound
/// 22779904: isoperimetric, ...)"; beyond a tenth that it is not known.
std::string bound_text(const LowerBound& bound, const Metrics& metrics, const Goal& goal);

/// A table in groups, lines for each metric with what it means, a column for each mapping; `titles`
/// as long as `columns`.
std::string metrics_table(const std::vector<std::string>& titles,
                          const std::vector<Metrics>& columns);

/// What each metric is, a line each, for the help.
std::string metric_notes();

/// What is minimised as a person reads it: in the metric's own unit, a mix relative to identity.
std::string goal_text(const Goal& goal, const Metrics& metrics, const Metrics& identity);
std::string bound_value_text(const LowerBound& bound, const Goal& goal);
/// "1024 slots", or "64 of 1024 slots" where the others may not be used.
std::string slots_text(const Machine& machine);

/// "seconds are for cables of 10 Gbit/s, as none was measured".
std::string cables_text(const Machine& machine);
/// The same of one host: "seconds are for 10000 MB/s of each core, as nothing was measured".
std::string memory_text(const Machine& machine);
/// A line, with its end, about what network-time stands for; empty for other goals.
std::string network_note(const Goal& goal, const Machine& machine, const Metrics& identity);
/// A line, with its end, where a job would minimise something else; empty where it would not.
std::string job_note(const Goal& goal, const Machine& machine);

/// " (0.63% of the recorded run of 5.8 s)", where an order is judged by that; else empty.
std::string of_run_words(const CountedGain& gain);

/// "0-15,32", cut with "..." to `most` characters.
std::string interval_list(const SlotSet& set, std::size_t most);
/// On how many nodes its ranks are.
std::size_t nodes_of(const Machine& machine, const Mapping& mapping);
/// "on 16 nodes instead of 4"; empty where the order takes as many as the present one.
std::string nodes_words(const Machine& machine, const Mapping& present, const Mapping& mapping);
/// Whether the order takes slots that the present one does not have.
bool takes_other_slots(const Mapping& present, const Mapping& mapping);
/// The slots of the present order, as to be written behind the machine: ";slots=0-15". Empty where
/// the machine is cut already, or where that is long.
std::string present_slots(const Machine& machine, const Mapping& present);
/// What makes the machine again: its spec, with ;slots= where only a part of it is in use. Without,
/// where that is long.
std::string spec_with_slots(const Machine& machine);
/// A line, with its end, about an order that takes more or other nodes than the present one; empty
/// where it does not.
std::string more_nodes_note(const Machine& machine, const Mapping& present, const Mapping& mapping);

/// metrics / baseline of what is minimised; nothing where the baseline is 0.
std::optional<double> goal_ratio(const Goal& goal, const Metrics& metrics, const Metrics& baseline);

/// The table, a line for each rank, with a newline at the end of each.
std::string places_text(const std::vector<PlacedRank>& places);

/// An array of {"rank","launcher_rank","host","place","cpus"}, as the next value of `json`.
void put_places(JsonText& json, const std::vector<PlacedRank>& places);

}  // namespace kith::tools
