// Rows of kith compare as text: a sentence, what it rests on, a table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compare/compare.hpp"
#include "core/plain_text.hpp"
#include "kith/detail/reorder.hpp"
#include "results.hpp"
#include "seconds.hpp"

namespace kith::tools {
namespace {

/// Of the published mappers that a quick look tried.
constexpr std::size_t most_others = 3;

/// The table of algorithms; with `bars` their ratios are drawn beside it.
class Table {
 public:
  Table(const std::vector<Row>& rows, const Goal& goal, const Metrics& baseline,
        const std::optional<LowerBound>& bound)
      : rows_(rows), goal_(goal), baseline_(baseline), bound_(bound) {
    values_ = goal_.name().size();
    for (const Row& row : rows) {
      if (!row.problem.empty()) continue;
      labels_ = std::max(labels_, label_of(row).size());
      has_prediction_ = has_prediction_ || row.predicted;
      values_ = std::max(values_, goal_text(goal_, row.metrics, baseline_).size());
      most_ = std::max(most_, goal_ratio(goal_, row.metrics, baseline_).value_or(0));
    }
  }

  void draw_bars(const Terminal& terminal) {
    terminal_ = terminal;
    constexpr std::size_t least = 8;
    constexpr std::size_t most = 40;
    const std::size_t used =
        labels_ + values_ + 1 + (bound_ ? 3 : 2) * 10 + 2 + (has_prediction_ ? 32 : 0);
    if (terminal.columns < used + least) return;  // a table without bars is better than no table
    bars_ = std::min(terminal.columns - used, most);
  }

  std::string text() const {
    std::string text = painted(
        terminal_, Look::strong,
        fmt::format("{:<{}} {:>{}} {:>9}{} {:>9}", "algorithm", labels_, goal_.name(), values_,
                    "ratio", bound_ ? fmt::format(" {:>9}", "gap") : "", "took (s)") +
            (has_prediction_ ? columns("predicted", "between") : ""));
    text += '\n';
    for (const Row& row : rows_) {
      if (row.problem.empty()) text += line(row);
    }
    return text;
  }

 private:
  /// A row is called by what was asked for, and the present order by that, too.
  static std::string label_of(const Row& row) {
    return row.asked == "identity" ? "identity (present order)" : row.label();
  }

  static std::string columns(const std::string& predicted, const std::string& between) {
    return fmt::format(" {:>10} {:>20}", predicted, between);
  }

  static std::string fraction(const std::optional<double>& value) {
    return fmt::format(" {:>9}", value ? fmt::format("{:.4f}", *value) : "-");
  }

  std::string line(const Row& row) const {
    const auto ratio = goal_ratio(goal_, row.metrics, baseline_);
    std::string text =
        fmt::format("{:<{}} {:>{}}{}{} {:>9.3f}", label_of(row), labels_,
                    goal_text(goal_, row.metrics, baseline_), values_, fraction(ratio),
                    bound_ ? fraction(gap_above(bound_, goal_, row.metrics)) : "", row.seconds);
    if (row.predicted) {
      text += columns(short_seconds(row.predicted->seconds), range_text(*row.predicted));
    }
    if (bars_ > 0 && ratio) text += "  " + ratio_bar(*ratio, most_, bars_, terminal_);
    return text + '\n';
  }

  const std::vector<Row>& rows_;
  Goal goal_;
  const Metrics& baseline_;
  const std::optional<LowerBound>& bound_;
  Terminal terminal_;
  std::size_t labels_ = 9;
  std::size_t values_ = 0;
  std::size_t bars_ = 0;
  bool has_prediction_ = false;
  double most_ = 1;
};

double less_by(double after, double before) {
  return before > 0 ? 1 - after / before : 0;
}

/// "hosts" of the job that was recorded; nodes of a machine that was assumed.
std::string places_word(const Machine& machine) {
  return machine.kind() == "job" ? "hosts" : "nodes of " + printable(machine.spec());
}

/// "sends 4.1 MiB between hosts instead of 8.0 MiB (48% less)", where there are such bytes and
/// they get fewer; else in what is minimised.
std::string gain_words(const Comparison& comparison, const Row& best) {
  const Row& present = comparison.present;
  if (best.between_nodes == 0U && *present.between_nodes > 0) {
    return fmt::format("sends nothing between {} instead of {}",
                       places_word(*comparison.problem.machine),
                       short_bytes(*present.between_nodes));
  }
  if (best.between_nodes && *best.between_nodes < *present.between_nodes) {
    return fmt::format("sends {} between {} instead of {} ({} less)",
                       short_bytes(*best.between_nodes), places_word(*comparison.problem.machine),
                       short_bytes(*present.between_nodes),
                       short_percent(less_by(static_cast<double>(*best.between_nodes),
                                             static_cast<double>(*present.between_nodes))));
  }
  const auto ratio = goal_ratio(comparison.goal, best.metrics, present.metrics);
  return fmt::format("has {} less {} than the present order", short_percent(1 - ratio.value_or(1)),
                     comparison.goal.name());
}

std::string seconds_words(const Comparison& comparison, const Row& best) {
  if (comparison.clock == nullptr || !best.predicted) return "";
  const simulate::Seconds& now = comparison.clock->identity;
  const std::string predicted = short_seconds(best.predicted->seconds);
  if (!simulate::is_difference_clear(*best.predicted, now, comparison.clock->predictor.miss())) {
    return fmt::format(
        ", and whether it takes less time is unclear: {} ({}) predicted, {} in "
        "the present order",
        predicted, range_text(*best.predicted), short_seconds(now.seconds));
  }
  if (predicted == short_seconds(now.seconds)) {
    return fmt::format(", and is predicted to take as long as that one: {} ({})", predicted,
                       range_text(*best.predicted));
  }
  return fmt::format(", and is predicted to take {} ({}) instead of {}", predicted,
                     range_text(*best.predicted), short_seconds(now.seconds));
}

/// Why a job would keep its present order all the same; empty where it would not.
std::string why_kept(const Comparison& comparison, const Row& best) {
  const JobClock* const clock = comparison.clock;
  if (clock != nullptr && best.predicted &&
      simulate::saves_no_time(*best.predicted, clock->identity, clock->predictor.miss())) {
    return ": a job keeps its present order";
  }
  const double least = ReorderOptions{}.min_gain;
  const Machine& machine = *comparison.problem.machine;
  const auto wall = comparable_wall(comparison.problem);
  const CountedGain gain = counted_gain(comparison.goal, comparison.goal.nearest_objective(machine),
                                        machine, comparison.present.metrics, best.metrics, wall);
  if (gain.share >= least) return "";
  return fmt::format("; a job keeps its present order where less than {} is to be gained{}",
                     short_percent(least), of_run_words(gain));
}

/// Lines about the algorithms without an answer, those with the same reason on one line.
std::string without_answer(const Comparison& comparison) {
  std::vector<std::pair<std::string, std::string>> by_reason;  // reason, names
  for (const Row& row : comparison.rows) {
    if (row.problem.empty()) continue;
    const auto known =
        std::ranges::find(by_reason, row.problem, &std::pair<std::string, std::string>::first);
    if (known == by_reason.end()) {
      by_reason.emplace_back(row.problem, row.asked);
    } else {
      known->second += ", " + row.asked;
    }
  }
  std::string text;
  for (const auto& [reason, names] : by_reason) {
    text += fmt::format("no answer from {}: {}\n", names, printable(reason));
  }
  return text;
}

/// Whether a quick look ended Kith's own search, and there may be more to find.
bool is_cut(const Comparison& comparison) {
  constexpr double shown_gap = 0.00005;  // as the table rounds it
  const Row* const best = comparison.best();
  if (best != nullptr &&
      gap_above(comparison.bound(), comparison.goal, best->metrics).value_or(1) < shown_gap) {
    return false;
  }
  const auto ours = std::ranges::find(comparison.rows, "kith", &Row::asked);
  return comparison.is_quick && ours != comparison.rows.end() && ours->stopped == Stopped::time;
}

/// The present order, Kith's, the one that is advised, and the best of the others.
std::vector<Row> best_few(const std::vector<Row>& rows, const Row* advised, std::size_t& behind) {
  std::vector<Row> few;
  std::size_t others = 0;
  for (const Row& row : rows) {
    const bool is_ours = row.asked == "identity" || row.asked == "kith";
    if (is_ours || &row == advised || ++others <= most_others) {
      few.push_back(row);
    } else {
      ++behind;
    }
  }
  return few;
}

/// Of orders with as much of the goal, Kith's where it takes much less of the sum, by which a job
/// decides between them; else empty.
std::string tie_words(const Comparison& comparison) {
  constexpr double telling = 0.02;
  const auto ours = std::ranges::find(comparison.rows, "kith", &Row::asked);
  if (ours == comparison.rows.end() || !comparison.goal.is_only(Criterion::network_time)) return "";
  const auto before = static_cast<double>(comparison.present.metrics.hop_bytes);
  const double less = before > 0 ? 1 - static_cast<double>(ours->metrics.hop_bytes) / before : 0;
  if (less < telling) return "";
  return fmt::format(
      "No order has less {} than the present one. Kith's has as much and {:.0f}% less bytes x "
      "distance: a job with --reorder takes it.\n",
      comparison.goal.name(), 100 * less);
}

}  // namespace

std::string verdict_of(const Comparison& comparison) {
  const Row* const best = comparison.advised();
  if (best == nullptr) {
    const auto bound = comparison.bound();
    const auto gap = gap_above(bound, comparison.goal, comparison.present.metrics);
    if (const std::string tie = tie_words(comparison); gap == 0.0 && !tie.empty()) return tie;
    if (gap == 0.0) {
      return "The present order is optimal: no other one has less " + comparison.goal.name() +
             ".\n" + job_note(comparison.goal, *comparison.problem.machine);
    }
    return fmt::format("No order was found{} that is better than the present one.\n",
                       is_cut(comparison) ? " in this time" : "");
  }
  const std::string whose = best->is_ours() ? "Kith's order" : "The order of " + best->asked;
  const std::string nodes =
      nodes_words(*comparison.problem.machine, comparison.present.mapping, best->mapping);
  return fmt::format("{} {}{}{}{}.\n", whose, gain_words(comparison, *best),
                     nodes.empty() ? "" : ", " + nodes, seconds_words(comparison, *best),
                     why_kept(comparison, *best));
}

std::string busiest_words(const Comparison& comparison) {
  const Row* const best = comparison.advised();
  if (best == nullptr || !why_kept(comparison, *best).empty()) return "";
  const auto now = comparison.present.metrics.busiest_host;
  const auto then = best->metrics.busiest_host;
  if (!now || !then ||
      network_gain_text(comparison.present.metrics, best->metrics, *comparison.problem.machine)
          .empty()) {
    return "";
  }
  const Machine& machine = *comparison.problem.machine;
  // Of a phase it is not known which messages it had, and a job goes by the whole run.
  const bool has_headers = comparison.problem.traffic.wire.has_value();
  std::string note;
  // A job takes no order that gives a slot to several ranks.
  if (!comparison.problem.phase && comparison.problem.options.capacity == 1) {
    note = fmt::format(": kith run --reorder {} looks for an order by this measure",
                       shell_word(comparison.problem.traffic.trace.path.string()));
  }
  if (takes_other_slots(comparison.present.mapping, best->mapping)) {
    const std::string slots = present_slots(machine, comparison.present.mapping);
    note = "; a job with --reorder keeps to the slots that it has";
    if (!slots.empty()) {
      note += fmt::format(": --topology '{}{}' says what it gains there", machine.spec(), slots);
    }
  }
  return fmt::format("in that order the busiest {} sends or receives {} instead of {}{}{}",
                     machine.kind() == "job" ? "host" : "node",
                     *then == 0 ? "nothing" : short_bytes(*then), short_bytes(*now),
                     has_headers ? ", headers included" : "", note);
}

namespace {

/// Of a made-up machine with room for all ranks on one node.
std::string one_node_note(const Comparison& comparison) {
  const Machine& machine = *comparison.problem.machine;
  if (machine.nodes() < 2 || machine.kind() == "job") return "";
  if (nodes_of(machine, comparison.present.mapping) > 1) return "";
  return fmt::format(
      "in the present order all ranks are on 1 of {} nodes, so that nothing is sent between nodes; "
      ";nodes= or ;slots= behind the machine says which of them a job has\n",
      machine.nodes());
}

}  // namespace

std::string as_text(const Comparison& comparison, const std::optional<Terminal>& drawn_for) {
  const Machine& machine = *comparison.problem.machine;
  const Goal& goal = comparison.goal;
  const Metrics& baseline = comparison.present.metrics;
  std::string text = verdict_of(comparison);
  text += fmt::format("{} on {} ({}); the present order: {} {}\n",
                      number_of(comparison.problem.ranks(), "rank"), printable(machine.spec()),
                      slots_text(machine), goal.name(), goal_text(goal, baseline, baseline));
  text += network_note(goal, machine, baseline) + one_node_note(comparison);
  auto bound = comparison.bound();
  const Row* const best = comparison.best();
  const auto gap = best == nullptr ? std::nullopt : gap_above(bound, goal, best->metrics);
  if (gap && *gap <= telling_gap) {
    text +=
        fmt::format("no mapping is below {}: {}\n", bound_value_text(*bound, goal), bound->reason);
  } else {
    bound.reset();
    text += "how far the best of these is above the optimum is not known\n";
  }
  if (comparison.clock != nullptr) {
    text += basis_lines(comparison.clock->predictor, machine, comparison.problem.phase);
    text += fmt::format("the present order, predicted: {}, {}\n",
                        short_seconds(comparison.clock->identity.seconds),
                        range_text(comparison.clock->identity));
  }
  std::size_t behind = 0;
  const std::vector<Row> rows = comparison.is_quick
                                    ? best_few(comparison.rows, comparison.advised(), behind)
                                    : comparison.rows;
  Table shown(rows, goal, baseline, bound);
  if (drawn_for) shown.draw_bars(*drawn_for);
  text += shown.text() + without_answer(comparison);
  if (behind > 0)
    text += fmt::format(
        "{} more published algorithms gave no better order than the best of these\n", behind);
  if (is_cut(comparison)) {
    text += "kith was cut short, to answer soon: --algorithms kith lets it search on\n";
  }
  if (!comparison.left_out.empty()) {
    text += fmt::format("not tried, to answer soon: {}\n", fmt::join(comparison.left_out, ", "));
  }
  return text;
}

}  // namespace kith::tools
