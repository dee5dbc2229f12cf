// `kith report`: what it is asked for, and the parts that its data is put together from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "kith/detail/goal.hpp"
#include "kith/detail/reorder.hpp"
#include "kith/mapper.hpp"
#include "report/report_data.hpp"

namespace kith::tools {

/// What `kith report` is asked for.
struct ReportCommand {
  std::string trace;
  MachineChoice machine;
  std::vector<std::string> mappings;
  std::optional<Goal> goal;  ///< nothing: the default for the machine
  Effort effort = Effort::fast;
  unsigned threads = 1;
  std::optional<std::string> page;
  std::optional<std::string> svg;
  std::optional<std::string> png;
  bool linear = false;
  bool json = false;
};

/// Title, run, totals, message sizes, load, and the names of the phases. Where the trace does not
/// tell one of them `data.missing` says why. Throws Error (input).
void add_trace_views(const Traffic& traffic, ReportData& data);

/// What the ranks did when, after the names of the phases; nothing where the trace has no timeline.
/// Throws Error (input).
void add_time(const Trace& trace, ReportData& data);

/// All matrices of all orders in as many resolutions as fit `most_bytes` of JSON, and what there is
/// to say of each phase. `messages`: null where they are not known; `levels`: null without machine.
void add_matrices(const Traffic& traffic, const TrafficMatrix* messages,
                  const MachineLevels* levels, std::uint64_t most_bytes, ReportData& data);

/// The present order, the recorded one where that is another, kith's own where it would reorder,
/// and each --mapping, with all that is said of them but their matrices; machine, objective, bound
/// and the biggest talkers. Returns what Kith would do in a job; nothing where no job could hold
/// the ranks. Throws Error (input) for a mapping that does not fit.
std::optional<ReorderDecision> add_orders(const ReportCommand& command, const Traffic& traffic,
                                          const Machine& machine, ReportData& data);

/// Seconds of all orders, by the timeline of the trace. Without a timeline, or where it leaves
/// something out, `data.missing` says why there are none. Call it after `data` has its orders and
/// its number of messages.
void add_seconds(const ReportCommand& command, const Traffic& traffic, const Machine& machine,
                 ReportData& data);

/// What the threads of ranks share, and what is wrong with the binding of the job. Throws Error
/// (input).
void add_threads(const Trace& trace, ReportData& data);

/// Without a machine: the ranks by number.
void add_order_by_rank(const Traffic& traffic, ReportData& data);

/// Headline, where the traffic is, what a better order would do, what Kith would do and why, and
/// what to type next. `decision`: nothing where there is none. Without seconds: the same input
/// gives the same words.
ReportSummary summary_words(const ReportCommand& command, const ReportData& data,
                            const std::optional<ReorderDecision>& decision);

}  // namespace kith::tools
