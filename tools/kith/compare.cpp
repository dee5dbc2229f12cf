// kith compare: one row per algorithm, best first.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "command.hpp"
#include "core/parse_number.hpp"
#include "core/plain_text.hpp"
#include "kith/error.hpp"
#include "mapping/constraints.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "seconds.hpp"

namespace kith::tools {
namespace {

struct Row {
  std::string asked;
  std::string made_by;
  std::string problem;  ///< why there is no answer; then nothing below counts
  Metrics metrics;
  std::optional<simulate::Seconds> predicted;  ///< of the job; nothing: not asked for
  double seconds = 0;                          ///< of the mapping
  Stopped stopped = Stopped::done;
  bool is_optimal = false;
};

/// "kith,eagermap+refine", or "all".
std::vector<Algorithm> find_algorithms(std::string_view text) {
  std::vector<Algorithm> algorithms;
  if (text == "all") {
    for (const Mapper* const mapper : mappers()) algorithms.push_back({mapper, false});
    for (const char* const name : {"eagermap+refine", "scotch+refine"}) {
      algorithms.push_back(find_algorithm(name, "--algorithms"));
    }
    return algorithms;
  }
  for (const std::string_view name : split(text, ',')) {
    algorithms.push_back(find_algorithm(name, "--algorithms"));
  }
  return algorithms;
}

struct CompareOptions {
  ProblemOptions problem;
  std::vector<Algorithm> algorithms = find_algorithms("all");
  ColorChoice color = ColorChoice::automatic;
  bool json = false;
  bool picture = false;
  bool seconds = false;
};

/// The job as it was recorded, ready to be simulated in any order.
struct Clock {
  simulate::Predictor predictor;
  simulate::Seconds identity;

  simulate::Seconds seconds_of(const Mapping& mapping) {
    return predictor.expected(predictor.run(mapping));
  }
};

/// `options` with only those settings that the algorithm has.
MapOptions with_own_settings(MapOptions options, const Mapper& mapper) {
  std::erase_if(options.settings, [&](const SettingValue& setting) {
    const auto known = mapper.settings();
    return std::ranges::find(known, setting.name, &MapperSetting::name) == known.end();
  });
  return options;
}

/// `clock`: null where seconds are not asked for.
Row run_one(const Algorithm& algorithm, const Problem& problem, Clock* clock) {
  Row row;
  row.asked = algorithm.name();
  try {
    const MapOptions own = with_own_settings(problem.options, *algorithm.mapper);
    const MapResult result =
        map_ranks(algorithm, {problem.traffic.graph, *problem.machine, own,
                              &problem.traffic.trace.bytes, problem.traffic.on_wire()});
    row.metrics = problem.evaluate(result.mapping);
    if (clock != nullptr) row.predicted = clock->seconds_of(result.mapping);
    row.made_by = result.algorithm;
    row.seconds = result.seconds;
    row.stopped = result.stopped;
    row.is_optimal = result.is_optimal;
  } catch (const Error& error) {
    // What one algorithm cannot do is a result; what we did wrong is not.
    if (error.kind() == ErrorKind::internal) throw;
    row.problem = message_of(error);
  }
  return row;
}

/// A setting that none of the algorithms has is a mistake.
void check_all_settings(const std::vector<Algorithm>& algorithms,
                        const std::vector<SettingValue>& settings) {
  for (const SettingValue& setting : settings) {
    const bool known = std::ranges::any_of(algorithms, [&](const Algorithm& algorithm) {
      const auto own = algorithm.mapper->settings();
      return std::ranges::find(own, setting.name, &MapperSetting::name) != own.end();
    });
    if (!known) {
      throw bad_input("--set", "a setting that one of the algorithms has",
                      fmt::format("'{}'", setting.name));
    }
  }
}

/// Rows with an answer first, the best objective first, as asked where equal.
void sort_rows(std::vector<Row>& rows, const Goal& goal, const Metrics& baseline) {
  std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) {
    if (a.problem.empty() != b.problem.empty()) return a.problem.empty();
    return a.problem.empty() &&
           goal_units(goal, a.metrics, baseline) < goal_units(goal, b.metrics, baseline);
  });
}

/// What one algorithm has proven beats what a formula tells.
std::optional<LowerBound> best_bound(const std::vector<Row>& rows, const Problem& problem) {
  const auto proven = std::ranges::find(rows, true, &Row::is_optimal);
  if (proven == rows.end()) return problem.bound();
  return proven_bound(goal_of(problem.options), proven->metrics);
}

void put_predicted(JsonText& json, const simulate::Seconds& seconds) {
  json.begin_object(JsonLayout::line);
  json.key("seconds").value(seconds.seconds);
  json.key("low").value(seconds.low).key("high").value(seconds.high).end_object();
}

/// Seconds of the job, each row with what they rest on.
void put_prediction(JsonText& json, const Row& row, const Clock& clock) {
  json.key("seconds_predicted");
  if (row.predicted) {
    put_predicted(json, *row.predicted);
  } else {
    json.null();
  }
  put_predicted(json.key("baseline_seconds_predicted"), clock.identity);
  put_basis(json, clock.predictor);
}

void put_row(JsonText& json, const Row& row, std::uint32_t ranks, const Machine& machine,
             const Metrics& baseline, const Goal& goal, const std::optional<LowerBound>& bound,
             const Clock* clock) {
  const bool known = row.problem.empty();
  json.begin_object();
  json.key("algorithm").value(row.asked);
  if (known) json.key("made_by").value(row.made_by);
  json.key("ranks").value(ranks);
  json.key("slots").value(machine.slots());
  json.key("metrics");
  if (known) {
    put_metrics(json, row.metrics);
  } else {
    json.null();
  }
  put_metrics(json.key("baseline"), baseline);
  json.key("ratio");
  const auto ratio = known ? goal_ratio(goal, row.metrics, baseline) : std::nullopt;
  if (ratio) {
    json.value(*ratio);
  } else {
    json.null();
  }
  put_bound(json, bound, known ? gap_above(bound, goal, row.metrics) : std::nullopt);
  json.key("seconds");
  if (known) {
    json.value(row.seconds);
    json.key("stopped").value(to_string(row.stopped));
  } else {
    json.null();
    json.key("stopped").null();
  }
  if (clock != nullptr) put_prediction(json, row, *clock);
  json.key("objective").value(goal.name());
  if (!known) json.key("problem").value(row.problem);
  json.end_object();
}

std::string label_of(const Row& row) {
  return row.problem.empty() && row.made_by != row.asked
             ? fmt::format("{} ({})", row.asked, row.made_by)
             : row.asked;
}

/// The table of algorithms; with `bars` their ratios are drawn beside it.
class Table {
 public:
  Table(const std::vector<Row>& rows, const Goal& goal, const Metrics& baseline,
        const std::optional<LowerBound>& bound)
      : rows_(rows), goal_(goal), baseline_(baseline), bound_(bound) {
    for (const Row& row : rows) {
      labels_ = std::max(labels_, label_of(row).size());
      has_prediction_ = has_prediction_ || row.predicted;
    }
  }

  void draw_bars(const Terminal& terminal) {
    terminal_ = terminal;
    values_ = goal_.name().size();
    for (const Row& row : rows_) {
      if (!row.problem.empty()) continue;
      values_ = std::max(values_, goal_text(goal_, row.metrics, baseline_).size());
      most_ = std::max(most_, goal_ratio(goal_, row.metrics, baseline_).value_or(0));
    }
    constexpr std::size_t least = 8;
    constexpr std::size_t most = 40;
    const std::size_t used = labels_ + values_ + 1 + 3 * 10 + 2 + (has_prediction_ ? 32 : 0);
    if (terminal.columns < used + least) return;  // a table without bars is better than no table
    bars_ = std::min(terminal.columns - used, most);
  }

  std::string text() const {
    std::string text = painted(terminal_, Look::strong,
                               fmt::format("{:<{}} {:>{}} {:>9} {:>9} {:>9}", "algorithm", labels_,
                                           goal_.name(), values_, "ratio", "gap", "seconds") +
                                   (has_prediction_ ? columns("predicted", "between") : ""));
    text += '\n';
    for (const Row& row : rows_) text += line(row);
    return text;
  }

 private:
  static std::string columns(const std::string& predicted, const std::string& between) {
    return fmt::format(" {:>10} {:>20}", predicted, between);
  }

  std::string line(const Row& row) const {
    if (!row.problem.empty()) {
      return painted(terminal_, Look::faint,
                     fmt::format("{:<{}} {}", label_of(row), labels_, printable(row.problem))) +
             '\n';
    }
    const auto ratio = goal_ratio(goal_, row.metrics, baseline_);
    const auto gap = gap_above(bound_, goal_, row.metrics);
    std::string text = fmt::format("{:<{}} {:>{}} {:>9} {:>9} {:>9.3f}", label_of(row), labels_,
                                   goal_text(goal_, row.metrics, baseline_), values_,
                                   ratio ? fmt::format("{:.4f}", *ratio) : "-",
                                   gap ? fmt::format("{:.4f}", *gap) : "-", row.seconds);
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
  std::size_t values_ = 20;
  std::size_t bars_ = 0;
  bool has_prediction_ = false;
  double most_ = 1;
};

std::string as_text(const std::vector<Row>& rows, const Problem& problem, const Metrics& baseline,
                    const std::optional<LowerBound>& bound, const Clock* clock,
                    const std::optional<Terminal>& drawn_for) {
  const Machine& machine = *problem.machine;
  const Goal goal = goal_of(problem.options);
  std::string text = fmt::format("{} ranks on {} ({} slots); identity: {} {}\n", problem.ranks(),
                                 printable(machine.spec()), machine.slots(), goal.name(),
                                 goal_text(goal, baseline, baseline));
  text += network_note(goal, machine, baseline);
  if (bound) {
    text +=
        fmt::format("no mapping is below {}: {}\n", bound_value_text(*bound, goal), bound->reason);
  }
  if (clock != nullptr) {
    text += basis_lines(clock->predictor, machine);
    text += fmt::format("identity, predicted: {}, {}\n", short_seconds(clock->identity.seconds),
                        range_text(clock->identity));
  }
  Table shown(rows, goal, baseline, bound);
  if (drawn_for) shown.draw_bars(*drawn_for);
  return text + shown.text();
}

std::string as_json(const std::vector<Row>& rows, const Problem& problem, const Metrics& baseline,
                    const std::optional<LowerBound>& bound, const Clock* clock) {
  JsonText json;
  json.begin_array();
  for (const Row& row : rows) {
    put_row(json, row, problem.ranks(), *problem.machine, baseline, goal_of(problem.options), bound,
            clock);
  }
  json.end_array();
  return json.take();
}

/// What bars are drawn for; nothing where the result goes into a file or another program.
std::optional<Terminal> terminal_for_bars(const CompareOptions& options) {
  const Terminal terminal = terminal_of(STDOUT_FILENO, options.color);
  if (options.picture && options.json) {
    throw bad_input("--picture", "one of --json and --picture", "both");
  }
  if (!options.picture && !terminal.is_terminal) return std::nullopt;
  return terminal;
}

/// Nothing where seconds are not asked for.
std::optional<Clock> clock_of(const CompareOptions& options, const Problem& problem) {
  if (!options.seconds) return std::nullopt;
  const Progress progress("simulating the run as recorded");
  Clock clock{predictor_for(options.problem.trace, problem.traffic.trace, *problem.machine), {}};
  clock.identity = clock.seconds_of(problem.identity());
  return clock;
}

void run_compare(const CompareOptions& options) {
  const std::optional<Terminal> terminal = terminal_for_bars(options);
  if (options.seconds) trace_with_timeline(options.problem.trace);
  check_all_settings(options.algorithms, options.problem.map.settings);
  check_problem_options(options.problem, options.algorithms);
  const Problem problem = read_problem(options.problem);
  const Goal goal = goal_of(problem.options);
  check_problem(problem.get());
  std::optional<Clock> timed = clock_of(options, problem);
  Clock* const clock = timed ? &*timed : nullptr;
  Progress progress("evaluating identity");
  const Metrics baseline = problem.baseline();
  std::vector<Row> rows;
  for (const Algorithm& algorithm : options.algorithms) {
    progress.show(
        fmt::format("{} of {}: {}", rows.size() + 1, options.algorithms.size(), algorithm.name()));
    rows.push_back(run_one(algorithm, problem, clock));
  }
  progress.clear();
  if (const std::string text = layout_warning(problem.traffic.trace); !text.empty()) {
    tell("warning: " + text);
  }
  sort_rows(rows, goal, baseline);
  const auto bound = best_bound(rows, problem);
  print(options.json ? as_json(rows, problem, baseline, bound, clock)
                     : as_text(rows, problem, baseline, bound, clock, terminal));
}

}  // namespace

std::function<void()> set_up_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  app.description(
      "Maps one trace with each of the algorithms and lists them, the best first: for choosing "
      "one, or for seeing what can be gained at all.");
  add_problem_options(app, options->problem);
  add_value(
      app, "--algorithms",
      [&list = options->algorithms](const std::string& text) { list = find_algorithms(text); },
      "Names from `kith algorithms`, +refine appended or not, or all (default): each by "
      "itself, and eagermap+refine and scotch+refine")
      ->type_name("A,...|all");
  app.add_flag("--seconds", options->seconds,
               "Also the seconds that the job would take in each order, by its timeline (column "
               "predicted); kith predict has options for it");
  app.add_flag("--picture", options->picture,
               "Ratios as bars also where standard output is not a terminal");
  add_color_option(app, options->color);
  app.add_flag("--json", options->json, "An array with one object per algorithm");
  put_in_group(app, search_group, {"--algorithms"});
  put_in_group(app, output_group, {"--seconds", "--picture", "--color", "--json"});
  app.footer(
      "ratio: of identity's objective; gap: how far above the best known lower bound, as a "
      "fraction (0: optimal); seconds: of the mapping itself; predicted: of the job.\n"
      "Examples:\n"
      "  kith compare app.kith                        # all algorithms, on the trace's own "
      "machine\n"
      "  kith compare app.kith --seconds --algorithms kith,treematch\n"
      "  kith compare app.kith --topology tree:4x2x8 --algorithms identity,eagermap,scotch+refine\n"
      "  kith compare app.kith --algorithms auto,kith --effort best --json");
  return [options] { run_compare(*options); };
}

}  // namespace kith::tools
