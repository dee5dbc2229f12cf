#include "problem.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "io/thread_matrices.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "mapping/constraints.hpp"
#include "simulate/crowding.hpp"

namespace kith::tools {
namespace {

constexpr std::string_view goal_option = "--objective";

Criterion parse_criterion(std::string_view text) {
  std::vector<std::string> names;
  for (const Criterion criterion : criteria) names.emplace_back(to_string(criterion));
  return criteria[parse_choice(text, goal_option, names)];
}

/// Beyond these limits a mix is its heaviest term, except for rounding.
double parse_weight(std::string_view text) {
  const auto weight = parse_real(text);
  if (weight && *weight >= 1e-6 && *weight <= 1e6) return *weight;
  throw bad_input(goal_option, "a weight from 0.000001 to 1000000", fmt::format("'{}'", text));
}

Goal parse_goal(std::string_view text) {
  Goal goal;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t colon = part.find(':');
    Goal::Term term{parse_criterion(part.substr(0, colon))};
    if (colon != std::string_view::npos) term.weight = parse_weight(part.substr(colon + 1));
    if (goal.has(term.criterion)) {
      throw bad_input(goal_option, "each name once", fmt::format("'{}'", text));
    }
    goal.terms.push_back(term);
  }
  return goal;
}

SettingValue parse_setting(const std::string& text) {
  const auto sign = text.find('=');
  if (sign == std::string::npos || sign == 0) {
    throw bad_input("--set", "NAME=VALUE (kith algorithms lists the names)", in_quotes(text));
  }
  return {text.substr(0, sign), text.substr(sign + 1)};
}

/// Whether rank and slot fit trace and machine is map_ranks()' to say.
FixedRank parse_fixed(const std::string& text) {
  const auto parts = split(text, '=');
  if (parts.size() != 2) throw bad_input("--fix", "RANK=SLOT", "'" + text + "'");
  return {Rank(parse_number32(parts[0], "--fix", 0)), Slot(parse_number32(parts[1], "--fix", 0))};
}

/// "16x16x8"; nothing where that is not what the text looks like.
std::optional<RankCoordinates> grid_of(const std::string& text) {
  std::vector<std::uint32_t> extents;
  std::uint64_t ranks = 1;
  for (const std::string_view part : split(text, 'x')) {
    const auto extent = parse_unsigned(part);
    if (!extent) return std::nullopt;
    ranks = *extent == 0 || *extent > max_index_count ? max_index_count + 1 : ranks * *extent;
    if (ranks > max_index_count) {
      throw bad_input("--coordinates", "extents from 1 on, of at most 2^32 - 1 ranks in all",
                      in_quotes(text));
    }
    extents.push_back(static_cast<std::uint32_t>(*extent));
  }
  return RankCoordinates::grid(extents);
}

void add_input_options(CLI::App& app, ProblemOptions& options) {
  add_trace_argument(app, options.trace);
  add_machine_options(app, options.machine);
  add_choice(app, "--affinity", options.selection.messages, {{"bytes", false}, {"messages", true}},
             "What a pair weighs (default bytes)");
  add_phase_option(app, options.selection.phase);
}

void add_search_options(CLI::App& app, MapOptions& map) {
  add_objective_option(app, map.goal);
  add_choice(app, "--effort", map.effort, efforts(), "How hard to try (default balanced)");
  add_number(app, "--seed", map.seed, "Seed of whatever is random (default 1)")->type_name("N");
  auto* const limit =
      add_seconds(app, "--time-limit", map.time_limit, "Best answer within so many seconds")
          ->type_name("S");
  add_number(app, "--work", map.work, "Best answer within so many swap tests; repeatable")
      ->type_name("N")
      ->excludes(limit);
  add_threads_option(app, map.threads);
}

/// What only some algorithms go by, and their settings.
void add_mapper_options(CLI::App& app, ProblemOptions& options) {
  app.add_option("--loads", options.rank_files.loads,
                 "How much each rank computes, a whole number per line (default: the trace's CPU "
                 "time outside MPI)")
      ->type_name("FILE");
  const auto take_coordinates = [&options](const std::string& text) {
    options.map.coordinates = grid_of(text);
    if (!options.map.coordinates) options.rank_files.coordinates = text;
  };
  add_value(app, "--coordinates", take_coordinates,
            "Where each rank's work lies, for geometric algorithms: a file with a point per "
            "line, or the extents of a grid, 16x16x8 (default: what the trace knows, or what "
            "the traffic tells)")
      ->type_name("FILE|EXTENTS");
  add_real(app, "--sparse-factor", options.map.sparse_factor,
           "Where Scotch gets dense traffic, keep pairs heavier than this share of the "
           "heaviest",
           1)
      ->type_name("F");
  const auto take_setting = [&options](const std::string& text) {
    options.map.settings.push_back(parse_setting(text));
  };
  add_repeated_value(app, "--set", take_setting,
                     "A setting of the algorithm, see kith algorithms; may be given again")
      ->type_name("NAME=VALUE");
}

void add_placement_options(CLI::App& app, ProblemOptions& options) {
  auto* const spread = app.add_flag("--oversubscribe", options.oversubscribe,
                                    "More ranks than slots: spread them evenly");
  add_number(app, "--per-slot", options.map.capacity, "Up to K ranks on a slot", 1)
      ->type_name("K")
      ->excludes(spread);
  const auto take_fixed = [&options](const std::string& text) {
    options.map.fixed.push_back(parse_fixed(text));
  };
  add_repeated_value(app, "--fix", take_fixed, "Rank RANK stays on slot SLOT; may be given again")
      ->type_name("RANK=SLOT");
  app.add_option("--forbid", options.forbidden,
                 "Slots to leave empty: 0-7,16 or a file of such lists")
      ->type_name("SLOTS");
}

}  // namespace

bool is_given(const ProblemOptions& options, ExtraInput input) {
  switch (input) {
    case ExtraInput::loads:
      return options.rank_files.loads.has_value();
    case ExtraInput::coordinates:
      return options.rank_files.coordinates || options.map.coordinates;
    case ExtraInput::sparse_factor:
      return options.map.sparse_factor.has_value();
  }
  return false;
}

namespace {

/// "geom, gsearch": those that go by the input.
std::string users_of(ExtraInput input) {
  std::string names;
  for (const Mapper* const mapper : mappers()) {
    if (!mapper->uses(input)) continue;
    names.append(names.empty() ? "" : ", ").append(mapper->name());
  }
  return names;
}

std::unique_ptr<Machine> choose_machine(const ProblemOptions& options, const Trace& trace) {
  auto machine = find_machine(options.machine, trace);
  if (!options.forbidden) return machine;
  const SlotSet forbidden = SlotSet::parse(*options.forbidden, "--forbid", machine->slots());
  const SlotSet left = machine->allowed().without(forbidden);
  if (left.empty()) throw bad_input("--forbid", "a slot that stays allowed", "none");
  return machine->restricted_to(left);
}

}  // namespace

void add_objective_option(CLI::App& app, std::optional<Goal>& goal, const std::string& usual) {
  add_value(
      app, std::string(goal_option), [&goal](const std::string& text) { goal = parse_goal(text); },
      "What to minimise: the time that the busiest link takes by its bandwidth, bytes times hops, "
      "the sum or the largest of bytes times cost, the bytes on the busiest link, or a mix with "
      "weights, each value relative to identity's: hop-bytes:1,link-load:0.5. Default " +
          usual)
      ->type_name("network-time|hop-bytes|sum-com|max-com|link-load|NAME:W,...");
}

const Choices<Effort>& efforts() {
  static const Choices<Effort> all{
      {"fast", Effort::fast}, {"balanced", Effort::balanced}, {"best", Effort::best}};
  return all;
}

std::string effort_name(Effort effort) {
  return std::ranges::find(efforts(), effort, &Choices<Effort>::value_type::second)->first;
}

void add_threads_option(CLI::App& app, unsigned& threads) {
  constexpr std::uint64_t most = 1U << 20;
  add_number(app, "--threads", threads, "Threads; the answer is the same for any number", 1, most)
      ->type_name("N");
}

Goal chosen_goal(const std::optional<Goal>& asked, const Machine& machine) {
  if (!asked) return default_goal(machine);
  check_goal(*asked, machine);
  return *asked;
}

void set_goal(MapOptions& options, const Goal& goal, const Machine& machine) {
  options.objective = goal.nearest_objective(machine);
  options.goal.reset();
  if (!goal.as_objective()) options.goal = goal;
}

void read_rank_facts(const RankFiles& files, const Trace& trace, MapOptions& options) {
  options.loads = files.loads ? read_loads(*files.loads) : loads_of(trace);
  if (options.coordinates) return;
  options.coordinates =
      files.coordinates ? read_coordinates(*files.coordinates) : coordinates_of(trace);
}

void add_problem_options(CLI::App& app, ProblemOptions& options) {
  add_input_options(app, options);
  add_search_options(app, options.map);
  add_mapper_options(app, options);
  add_placement_options(app, options);
  put_in_group(app, input_group, {"--affinity", "--phase", "--loads", "--coordinates"});
  put_in_group(app, search_group,
               {"--objective", "--effort", "--seed", "--time-limit", "--work", "--threads",
                "--sparse-factor", "--set"});
  put_in_group(app, places_group, {"--oversubscribe", "--per-slot", "--fix", "--forbid"});
}

void check_problem_options(const ProblemOptions& options, std::span<const Algorithm> algorithms) {
  if (options.selection.messages && options.selection.phase) {
    throw bad_input("--affinity", "bytes with --phase (phases hold no messages)", "'messages'");
  }
  for (const ExtraInput input : extra_inputs) {
    const auto uses_it = [&](const Algorithm& one) { return one.mapper->uses(input); };
    if (!is_given(options, input) || std::ranges::any_of(algorithms, uses_it)) continue;
    std::string asked;
    for (const Algorithm& one : algorithms) {
      asked.append(asked.empty() ? "" : ", ").append(one.name());
    }
    const std::string name(to_string(input));
    throw bad_input("--" + name, "an algorithm that goes by it: " + users_of(input),
                    in_quotes(asked));
  }
}

std::optional<double> comparable_wall(const Trace& trace) {
  if (!trace.meta) return std::nullopt;
  return simulate::comparable_seconds(trace.job ? &*trace.job : nullptr, trace.meta->wall_seconds);
}

std::optional<double> comparable_wall(const Problem& problem) {
  return problem.phase ? std::nullopt : comparable_wall(problem.traffic.trace);
}

std::optional<LowerBound> lower_bound_of(const Traffic& traffic, const Machine& machine,
                                         const Goal& goal, std::uint32_t capacity) {
  if (const auto objective = goal.as_objective()) {
    return objective_lower_bound(traffic.graph, machine, *objective, capacity);
  }
  if (!goal.is_only(Criterion::network_time)) return std::nullopt;
  if (!traffic.wire) return network_time_lower_bound(traffic.graph, machine, capacity);
  return network_time_lower_bound(TrafficGraph::from(*traffic.wire), machine, capacity);
}

Problem read_problem(const ProblemOptions& options) {
  Problem problem{read_traffic(options.trace, options.selection), nullptr, options.map,
                  options.selection.phase};
  problem.machine = choose_machine(options, problem.traffic.trace);
  MapOptions& map = problem.options;
  if (options.oversubscribe) {
    map.capacity = even_capacity(problem.ranks(), *problem.machine);
    map.least = static_cast<std::uint32_t>(problem.ranks() / problem.machine->allowed().size());
  }
  check_fixed_ranks(problem.get());  // what they contradict comes before what is too small for them
  check_room(problem.ranks(), *problem.machine, map.capacity,
             map.capacity > 1 ? "a larger --per-slot" : "--oversubscribe, or --per-slot K",
             thread_matrix_comment(options.trace).empty() ? "rank" : "thread");
  set_goal(map, chosen_goal(map.goal, *problem.machine), *problem.machine);
  read_rank_facts(options.rank_files, problem.traffic.trace, map);
  return problem;
}

}  // namespace kith::tools
