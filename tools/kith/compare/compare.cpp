// kith compare: what a better order would save, and one row per algorithm, best first.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "command.hpp"
#include "compare/compare.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "mapping/constraints.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "seconds.hpp"
#include "simulate/crowding.hpp"

namespace kith::tools {
namespace {

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
  std::vector<Algorithm> algorithms;  ///< empty: a quick look
  ColorChoice color = ColorChoice::automatic;
  bool json = false;
  bool picture = false;
  bool seconds = false;
};

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

/// What bars are drawn for; nothing where the result goes into a file or another program.
std::optional<Terminal> terminal_for_bars(const CompareOptions& options) {
  const Terminal terminal = terminal_of(STDOUT_FILENO, options.color);
  if (options.picture && options.json) {
    throw bad_input("--picture", "one of --json and --picture", "both");
  }
  if (!options.picture && !terminal.is_terminal) return std::nullopt;
  return terminal;
}

JobClock clock_of(const CompareOptions& options, const Comparison& comparison) {
  const Progress progress("simulating the run as recorded");
  const Problem& problem = comparison.problem;
  JobClock clock{predictor_for(options.problem.trace, problem.traffic.trace, *problem.machine), {}};
  clock.identity = clock.seconds_of(comparison.present.mapping);
  return clock;
}

/// What a terminal shows of rows while others are still on their way: drawn again in place.
class Screen {
 public:
  explicit Screen(const std::optional<Terminal>& drawn_for) : terminal_(drawn_for) {}

  void draw(const std::string& text) {
    if (text == drawn_) return;
    hide_progress();
    print(back() + text);
    drawn_ = text;
    lines_ = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }

  /// Whether rows may be shown before all are there: what has left the screen cannot be redrawn.
  bool can_redraw(std::size_t rows) const {
    constexpr std::size_t lines_above = 12;
    return terminal_ && terminal_->is_terminal && terminal_->has_colors &&
           rows + lines_above < terminal_->rows;
  }

 private:
  std::string back() const { return lines_ == 0 ? "" : fmt::format("\x1b[{}A\x1b[J", lines_); }

  std::optional<Terminal> terminal_;
  std::string drawn_;
  std::size_t lines_ = 0;
};

/// Seconds from the start of the command until a quick look answers.
constexpr std::chrono::milliseconds quick_time{1700};
/// Of these, what may go into simulations of the job.
constexpr double quick_simulation = 0.5;

/// Why a quick look has no seconds, of a trace that has a timeline.
std::string no_seconds_text(const Trace& trace) {
  if (!trace.job) {
    return "no seconds are shown, as the trace does not say where its ranks ran; --seconds shows "
           "them all the same";
  }
  const auto ran_on = machine_of_run(trace);
  const auto crowded =
      ran_on ? simulate::crowded_hosts(*trace.job, *ran_on) : std::vector<simulate::CrowdedHost>();
  if (!crowded.empty()) {
    return fmt::format(
        "no seconds are shown, as {} when it was recorded; --seconds shows them all "
        "the same",
        simulate::crowding_text(crowded));
  }
  return "no seconds are shown, as to predict them takes more than a second or two: --seconds does";
}

/// What simulates the job in each order of a quick look; nothing where that takes long, or where
/// the trace does not have what it needs (--seconds says what).
std::optional<JobClock> quick_clock(const CompareOptions& options, const Comparison& comparison) {
  constexpr unsigned orders = 6;
  const Problem& problem = comparison.problem;
  try {
    auto predictor = quick_predictor(options.problem.trace, problem.traffic.trace, *problem.machine,
                                     orders, quick_simulation);
    if (!predictor) {
      if (has_timeline(options.problem.trace)) {
        tell(no_seconds_text(problem.traffic.trace));
      }
      return std::nullopt;
    }
    if (simulate::is_hopeless(predictor->miss().value_or(0))) {
      tell("no seconds are shown: " + miss_text(*predictor) + "; --seconds shows them all the same");
      return std::nullopt;
    }
    JobClock clock{std::move(*predictor), {}};
    clock.identity = clock.seconds_of(comparison.present.mapping);
    return clock;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    if (has_timeline(options.problem.trace)) {
      tell(fmt::format("no seconds are shown: {}", error.what()));
    }
    return std::nullopt;
  }
}

/// The algorithms that go by inputs that were given, or have the settings.
std::vector<Algorithm> algorithms_of_inputs(const CompareOptions& options) {
  std::vector<Algorithm> found;
  for (const Mapper* const mapper : mappers()) {
    const bool has_setting =
        std::ranges::any_of(options.problem.map.settings, [&](const SettingValue& setting) {
          const auto own = mapper->settings();
          return std::ranges::find(own, setting.name, &MapperSetting::name) != own.end();
        });
    const bool has_input = std::ranges::any_of(extra_inputs, [&](ExtraInput input) {
      return is_given(options.problem, input) && mapper->uses(input);
    });
    const bool is_ours = mapper->name() == "kith" || mapper->name() == "auto";
    if (!is_ours && (has_setting || has_input)) found.push_back({mapper, false});
  }
  return found;
}

/// Of the algorithms that are asked where none is named.
void look_quickly(const CompareOptions& options, Comparison& comparison, Deadline deadline) {
  comparison.is_quick = true;
  add_quick_rows(comparison, deadline);
  for (const Algorithm& algorithm : algorithms_of_inputs(options)) {
    if (std::ranges::find(comparison.rows, algorithm.name(), &Row::asked) ==
        comparison.rows.end()) {
      comparison.add(algorithm);
    }
  }
  comparison.sort();
}

void find_rows(const CompareOptions& options, Comparison& comparison, Screen& screen,
               const std::optional<Terminal>& terminal) {
  Progress progress;
  for (const Algorithm& algorithm : options.algorithms) {
    progress.show(fmt::format("{} of {}: {}", comparison.rows.size() + 1, options.algorithms.size(),
                              algorithm.name()));
    comparison.add(algorithm);
    comparison.sort();
    if (!options.json && screen.can_redraw(options.algorithms.size())) {
      screen.draw(as_text(comparison, terminal));
    }
  }
}

/// Who asks for a long search gets it.
Deadline deadline_of(const CompareOptions& options) {
  const MapOptions& map = options.problem.map;
  if (map.effort == Effort::best || map.time_limit || map.work) return std::nullopt;
  return std::chrono::steady_clock::now() + quick_time;
}

/// What nobody goes by is a mistake.
void check_options(const CompareOptions& options) {
  const std::vector<Algorithm> asked =
      options.algorithms.empty() ? find_algorithms("all") : options.algorithms;
  check_all_settings(asked, options.problem.map.settings);
  check_problem_options(options.problem, asked);
}

void run_compare(const CompareOptions& options) {
  const Deadline deadline = deadline_of(options);
  const std::optional<Terminal> terminal = terminal_for_bars(options);
  if (options.seconds) trace_with_timeline(options.problem.trace);
  check_options(options);
  const Problem problem = read_problem(options.problem);
  check_problem(problem.get());
  Comparison comparison = start_comparison(problem);
  std::optional<JobClock> clock;
  if (options.seconds) {
    clock = clock_of(options, comparison);
  } else if (options.algorithms.empty()) {
    clock = quick_clock(options, comparison);
  }
  comparison.clock = clock ? &*clock : nullptr;
  Screen screen(terminal);
  if (options.algorithms.empty()) {
    look_quickly(options, comparison, deadline);
  } else {
    find_rows(options, comparison, screen, terminal);
  }
  tell_layout(problem.traffic.trace);
  screen.draw(options.json ? as_json(comparison) : as_text(comparison, terminal));
  if (options.json || !options.algorithms.empty()) return;
  if (const std::string busiest = busiest_words(comparison); !busiest.empty()) tell(busiest);
}

}  // namespace

std::function<void()> set_up_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  app.description(
      "Says in one sentence what a better order of the ranks would save, and lists the algorithms "
      "that were asked, the best first.");
  add_problem_options(app, options->problem);
  add_value(
      app, "--algorithms",
      [&list = options->algorithms](const std::string& text) { list = find_algorithms(text); },
      "Names from `kith algorithms`, +refine appended or not, or all: each by itself, and "
      "eagermap+refine and scotch+refine; default: kith, and the published ones that "
      "answer within two seconds in all, of which the best three are shown")
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
      "ratio: of the present order's objective; gap: how far above the best known lower bound, as "
      "a fraction (0: optimal), where that says something; took (s): the mapping itself; "
      "predicted: of the job, without --seconds where that is known at once; between: the range in "
      "which it is expected.\n"
      "Examples:\n"
      "  kith compare app.kith                        # is it worth it? On the trace's own "
      "machine\n"
      "  kith compare app.kith --algorithms all       # may take minutes\n"
      "  kith compare app.kith --seconds --algorithms kith,treematch\n"
      "  kith compare app.kith --topology tree:4x2x8 --algorithms identity,eagermap,scotch+refine\n"
      "  kith compare app.kith --algorithms auto,kith --effort best --json");
  return [options] { run_compare(*options); };
}

}  // namespace kith::tools
