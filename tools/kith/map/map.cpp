// kith map: a slot for each rank.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "core/plain_text.hpp"
#include "inputs.hpp"
#include "io/launch/launch_file.hpp"
#include "io/thread_matrices.hpp"
#include "kith/detail/reorder.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "map/map_output.hpp"
#include "mapping/constraints.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "results.hpp"

namespace kith::tools {
namespace {

/// "mapping with kith, effort best, at most 30 s"
std::string description(const MapCommand& command) {
  const MapOptions& options = command.problem.map;
  std::string text = fmt::format("mapping with {}, effort {}", command.algorithm.name(),
                                 effort_name(options.effort));
  if (options.time_limit) text += fmt::format(", at most {} s", *options.time_limit);
  return text;
}

/// Whoever is not at a terminal sees no progress.
void tell_long_search(const MapCommand& command, const Problem& problem) {
  constexpr std::uint32_t few_ranks = 32;
  const MapOptions& options = command.problem.map;
  const bool is_long = options.effort == Effort::best && !options.time_limit && !options.work &&
                       problem.ranks() >= few_ranks;
  if (is_long && !Progress::visible()) tell("effort best: the search takes up to a minute");
}

ChoiceResult search(const MapCommand& command, const MapProblem& problem) {
  const Progress progress(description(command));
  if (command.choose) return map_to_chosen_nodes(command.algorithm, problem);
  return {map_ranks(command.algorithm, problem), {}};
}

AnswerText answer_text(const MapCommand& command, const MapAnswer& answer, const Trace& trace,
                       const std::string& json) {
  switch (command.chosen_format()) {
    case MapFormat::json:
      return {json, {}};
    case MapFormat::hosts:
      return {host_list(answer), {}};
    case MapFormat::nodelist:
      return {node_list(answer), {}};
    case MapFormat::mapping:
      return {mapping_text(answer.result.mapping, spec_with_slots(answer.machine),
                           answer.machine.hosts_digest()),
              {}};
    case MapFormat::launch_file:
      break;
  }
  AnswerText text = launch_text(*command.launch, answer, trace, command.output);
  if (command.launch->name == "rankfile" && trace.meta &&
      trace.meta->mpi_library.starts_with("Open MPI v5")) {
    text.notes.emplace_back(
        "warning: the trace is of Open MPI 5, whose mpirun refuses most such files: --format "
        "prrte");
  }
  return text;
}

/// Whatever was asked for goes to -o, or to standard output.
void write_answer(const MapCommand& command, const AnswerText& answer, const std::string& json) {
  if (command.output) write_file_atomically(*command.output, answer.text);
  if (command.json) {
    print(json);
  } else if (!command.output) {
    print(answer.text);
  }
}

/// `is_chosen`: on as few nodes as suffice.
void warn_if_worse(const Problem& problem, const MapAnswer& answer, bool is_chosen) {
  // With --from a worse objective may be worth the moves that it saves.
  if (problem.options.from || goal_units(answer.goal, answer.metrics, answer.baseline) <=
                                  goal_units(answer.goal, answer.baseline, answer.baseline)) {
    return;
  }
  std::string what = keeps_fixed_ranks(problem.identity(), problem.options.fixed)
                         ? answer.result.algorithm + " is worse than identity"
                         : "worse than identity, which the fixed ranks rule out";
  if (is_chosen) {
    const std::string nodes =
        nodes_words(*problem.machine, problem.identity(), answer.result.mapping);
    what += nodes.empty() ? "" : ", but runs " + nodes;
  }
  tell(fmt::format("warning: {}: {} {} instead of {}", what, answer.goal.name(),
                   goal_text(answer.goal, answer.metrics, answer.baseline),
                   goal_text(answer.goal, answer.baseline, answer.baseline)));
}

/// What is proven beats what a formula tells; where moves cost, it is proven of the sum with them.
std::optional<LowerBound> best_bound(const Problem& problem, const MapAnswer& answer) {
  const bool moves_cost = problem.options.from && problem.options.move_cost > 0;
  if (!answer.result.is_optimal || moves_cost) return problem.bound();
  return proven_bound(answer.goal, answer.metrics);
}

/// How far from the best there is; empty where nothing is known.
std::string quality_text(const MapAnswer& answer, const std::optional<LowerBound>& bound) {
  if (answer.result.is_optimal) {
    return fmt::format("optimal{}: proven by exhaustive search",
                       answer.moves ? ", moves included" : "");
  }
  return bound ? bound_text(*bound, answer.metrics, answer.goal) : "";
}

/// How to apply the mapping file, and that rank 0 leaves the place that orders made in a job keep.
void tell_next(const MapCommand& command, const Problem& problem, const Mapping& mapping) {
  if (!command.output || *command.output == "-") return;
  if (problem.machine->kind() != "job" || command.chosen_format() != MapFormat::mapping ||
      mapping == problem.identity()) {  // nothing would change
    return tell("written: " + *command.output);
  }
  const Slot first = problem.identity()[Rank(0)];
  if (mapping[Rank(0)] != first) {
    tell(
        fmt::format("rank 0 moves, and standard input goes to another rank: --fix 0={} keeps it "
                    "where it is, as --reorder auto does",
                    first.value));
  }
  tell(fmt::format("written: {}; next: kith run --reorder {} -- LAUNCHER ... PROGRAM ...",
                   *command.output, shell_word(*command.output)));
}

void tell_next_of_threads(const MapCommand& command) {
  if (!command.output || *command.output == "-") return;
  if (command.chosen_format() != MapFormat::mapping || command.all_threads) {
    return tell("written: " + *command.output);
  }
  tell(fmt::format("written: {}; next: kith run --bind {} -- PROGRAM ...", *command.output,
                   shell_word(*command.output)));
}

/// A job takes no mapping that gives a slot to several ranks; launch files do.
void tell_shared_slots(const MapCommand& command, const Mapping& mapping) {
  if (!command.output || command.chosen_format() != MapFormat::mapping) {
    return;
  }
  std::vector<Slot> slots = mapping.slot_of;
  std::ranges::sort(slots);
  if (std::ranges::adjacent_find(slots) == slots.end()) return;
  tell(
      "kith run --reorder takes a mapping with a slot for each rank only: in this one ranks share "
      "slots");
}

/// Where the order is no better, or by so little that a job would not change its order. `wall`: of
/// the recorded run, where known.
void tell_small_gain(const MapAnswer& answer, bool is_known_optimal,
                     const std::optional<double>& wall) {
  const auto ratio = goal_ratio(answer.goal, answer.metrics, answer.baseline);
  const double least = ReorderOptions{}.min_gain;
  if (answer.moves || !ratio || *ratio > 1) return;
  const CountedGain gain = counted_gain(answer.goal, answer.goal.nearest_objective(answer.machine),
                                        answer.machine, answer.baseline, answer.metrics, wall);
  if (gain.share >= least) return;
  if (gain.share == 0) {
    if (is_known_optimal) return;
    return tell("no better order than the present one was found: there is nothing to gain");
  }
  tell(fmt::format(
      "the gain is small{}: where less than {} is to be gained, --reorder with a trace, "
      "or auto, keeps the present order; with this mapping it is changed all the same",
      of_run_words(gain), short_percent(least)));
}

void run_map(MapCommand command) {
  check_map_options(command);
  check_all_threads(command);
  turn_to_threads(command);
  Problem problem = read_problem(command.problem);
  read_from(command, problem);
  const Goal goal = goal_of(problem.options);
  tell_long_search(command, problem);
  const ChoiceResult choice = search(command, problem.get());
  const MapResult& result = choice.result;
  Progress progress("evaluating");
  const Metrics metrics = problem.evaluate(result.mapping);
  const Metrics baseline = problem.baseline();
  const std::string asked = command.algorithm.name();
  MapAnswer answer{asked, *problem.machine, goal, result, metrics, baseline, {}, {}};
  warn_if_worse(problem, answer, command.choose);
  if (command.choose) answer.nodes = choice.nodes;
  if (problem.options.from) {
    answer.moves = count_moves(*problem.options.from, result.mapping, *problem.machine);
  }
  const bool need_json = command.json || command.chosen_format() == MapFormat::json;
  const auto bound = best_bound(problem, answer);
  const std::string json = need_json ? map_json(answer, bound) : std::string();
  const AnswerText text = answer_text(command, answer, problem.traffic.trace, json);
  const std::string script =
      command.all_threads ? thread_script(command, problem.traffic.trace, result.mapping) : "";
  progress.clear();
  tell_layout(problem.traffic.trace);
  if (command.all_threads) {  // first: where it cannot be written, nothing is
    write_file_atomically(*command.output + ".threads", script);
    std::filesystem::permissions(*command.output + ".threads", std::filesystem::perms::owner_exec,
                                 std::filesystem::perm_options::add);
  }
  write_answer(command, text, json);
  if (command.json) return;
  for (const std::string& line : result.explanation) tell(line);
  const bool is_of_threads =
      command.threads_of || !thread_matrix_comment(command.problem.trace).empty();
  tell(map_summary(answer, is_of_threads ? "thread" : "rank"));
  for (std::string note :
       {command.choose ? std::string()
                       : more_nodes_note(*problem.machine, problem.identity(), result.mapping),
        network_note(goal, *problem.machine, baseline), job_note(goal, *problem.machine)}) {
    if (note.empty()) continue;
    note.pop_back();
    tell(note);
  }
  const std::string quality = quality_text(answer, bound);
  if (!quality.empty()) tell(quality);
  for (const std::string& note : text.notes) tell(note);
  if (command.all_threads) {
    tell(fmt::format(
        "threads: put {}.threads in front of the program, or bind them by kith run --bind "
        "kith --bind-matrix {}",
        *command.output, command.problem.trace));
  }
  if (is_of_threads) return tell_next_of_threads(command);
  tell_small_gain(answer, quality.starts_with("optimal"), comparable_wall(problem));
  tell_shared_slots(command, result.mapping);
  tell_next(command, problem, result.mapping);
}

}  // namespace

std::function<void()> set_up_map(CLI::App& app) {
  const auto command = std::make_shared<MapCommand>();
  app.description(
      "Computes a slot of the machine for each rank, so that ranks that send much to each other "
      "are near each other. What it writes is read by `kith run --reorder`, `kith eval` and, "
      "with --format, by launchers; how good it is goes to standard error.");
  add_map_options(app, *command);
  app.footer(
      "Examples:\n"
      "  kith map app.kith -o app.map                 # for the machine that the trace ran on\n"
      "  kith map app.kith --format rankfile -o app.rankfile   # for mpirun --rankfile\n"
      "  kith map app.kith --topology tree:4x2x8 --algorithm eagermap+refine --json\n"
      "  kith map app.kith --threads-of 0 --granularity pu -o rank0.map   # for kith run --bind\n"
      "  kith map app.kith --topology tree:9x8 --forbid 0-7 --from app.map --move-cost 1000\n"
      "  kith map app.kith --topology \"torus:4x4x4/8;slots=job.slots\" --choose -o hosts");
  return [command] { run_map(*command); };
}

}  // namespace kith::tools
