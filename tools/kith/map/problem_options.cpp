#include "map/problem_options.hpp"

#include <CLI/CLI.hpp>

#include "core/parse_number.hpp"
#include "goal_words.hpp"
#include "help/option_groups.hpp"
#include "kith/error.hpp"
#include "mapping/fixed_ranks.hpp"
#include "values.hpp"

namespace kith::tools {
namespace {

/// "RANK=SLOT" each; whether they fit trace and machine is map_ranks()' to say.
std::vector<FixedRank> parse_fixed(const std::vector<std::string>& items) {
  std::vector<FixedRank> fixed;
  for (const std::string& item : items) {
    const auto parts = split(item, '=');
    if (parts.size() != 2) throw bad_input("--fix", "RANK=SLOT", "'" + item + "'");
    fixed.push_back(
        {Rank(parse_number32(parts[0], "--fix", 0)), Slot(parse_number32(parts[1], "--fix", 0))});
  }
  return fixed;
}

void add_search_options(CLI::App& app, ProblemWords& words) {
  add_objective_option(app, words.objective);
  app.add_option("--effort", words.effort, "How hard to try (default balanced)")
      ->type_name("fast|balanced|best");
  app.add_option("--seed", words.seed, "Seed of whatever is random (default 1)")->type_name("N");
  auto* const limit =
      app.add_option("--time-limit", words.time_limit, "Best answer within so many seconds")
          ->type_name("S");
  app.add_option("--work", words.work, "Best answer within so many swap tests; repeatable")
      ->type_name("N")
      ->excludes(limit);
  put_in_group(app, search_group, {"--objective", "--effort", "--seed", "--time-limit", "--work"});
}

void add_placement_options(CLI::App& app, ProblemWords& words) {
  auto* const spread = app.add_flag("--oversubscribe", words.oversubscribe,
                                    "More ranks than slots: spread them evenly");
  app.add_option("--per-slot", words.per_slot, "Up to K ranks on a slot")
      ->type_name("K")
      ->excludes(spread);
  app.add_option("--fix", words.fixed, "Rank RANK stays on slot SLOT; may be given again")
      ->type_name("RANK=SLOT")
      ->allow_extra_args(false);
  app.add_option("--forbid", words.forbidden,
                 "Slots to leave empty: 0-7,16 or a file of such lists")
      ->type_name("SLOTS");
  put_in_group(app, places_group, {"--oversubscribe", "--per-slot", "--fix", "--forbid"});
}

std::unique_ptr<Machine> choose_machine(const ProblemWords& words, const Trace& trace) {
  auto machine = find_machine(words.machine, trace);
  if (!words.forbidden) return machine;
  const SlotSet forbidden = SlotSet::parse(*words.forbidden, "--forbid", machine->slots());
  const SlotSet left = machine->allowed().without(forbidden);
  if (left.empty()) throw bad_input("--forbid", "a slot that stays allowed", "none");
  return machine->restricted_to(left);
}

}  // namespace

void add_problem_options(CLI::App& app, ProblemWords& words) {
  add_trace_argument(app, words.trace);
  add_machine_options(app, words.machine);
  app.add_option("--affinity", words.affinity, "What a pair weighs (default bytes)")
      ->type_name("bytes|messages");
  app.add_option("--phase", words.phase, "Only this phase of the trace")->type_name("NAME");
  put_in_group(app, input_group, {"--affinity", "--phase"});
  add_search_options(app, words);
  add_mapper_options(app, words.mapper);
  add_placement_options(app, words);
}

ProblemWishes parse_problem(const ProblemWords& words) {
  ProblemWishes wishes;
  parse_granularity(words.machine);
  if (words.objective) wishes.goal = parse_goal(*words.objective);
  static constexpr Effort efforts[] = {Effort::fast, Effort::balanced, Effort::best};
  wishes.map.effort = efforts[parse_choice(words.effort, "--effort", {"fast", "balanced", "best"})];
  wishes.selection.messages =
      parse_choice(words.affinity, "--affinity", {"bytes", "messages"}) == 1;
  wishes.selection.phase = words.phase;
  if (wishes.selection.messages && wishes.selection.phase) {
    throw bad_input("--affinity", "bytes with --phase (phases hold no messages)", "'messages'");
  }
  wishes.map.seed = parse_number(words.seed, "--seed");
  parse_mapper_inputs(words.mapper, wishes.map);
  if (words.time_limit) wishes.map.time_limit = parse_seconds(*words.time_limit, "--time-limit");
  if (words.work) wishes.map.work = parse_number(*words.work, "--work");
  if (words.per_slot) wishes.map.capacity = parse_number32(*words.per_slot, "--per-slot", 1);
  wishes.map.fixed = parse_fixed(words.fixed);
  return wishes;
}

ReadProblem read_problem(const ProblemWords& words, ProblemWishes wishes) {
  ReadProblem problem{read_traffic(words.trace, wishes.selection), nullptr, std::move(wishes.map)};
  problem.machine = choose_machine(words, problem.traffic.trace);
  MapOptions& options = problem.options;
  if (words.oversubscribe) {
    options.capacity = even_capacity(problem.ranks(), *problem.machine);
    options.least = static_cast<std::uint32_t>(problem.ranks() / problem.machine->allowed().size());
  }
  check_fixed_ranks(problem.get());  // what they contradict comes before what is too small for them
  check_room(problem.ranks(), *problem.machine, options.capacity,
             words.per_slot ? "a larger --per-slot" : "--oversubscribe, or --per-slot K");
  set_goal(options, chosen_goal(wishes.goal, *problem.machine));
  read_rank_facts(words.mapper, problem.traffic.trace, options);
  return problem;
}

}  // namespace kith::tools
