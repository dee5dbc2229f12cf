// What is mapped, onto which machine, towards which goal and under which rules: the options of
// `kith map` and `kith compare` and the problem that they make; parts of it for other subcommands.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "inputs.hpp"
#include "kith/detail/lower_bound.hpp"
#include "kith/mapper.hpp"
#include "options.hpp"

namespace kith::tools {

/// Adds --objective: a name ("hop-bytes") or a mix ("hop-bytes:1,link-load:0.5").
/// `usual`: what is minimised without it.
void add_objective_option(CLI::App& app, std::optional<Goal>& goal,
                          const std::string& usual =
                              "network-time where the machine names several hosts (a job, hosts:, "
                              "slurm:), else sum-com where it carries costs, else hop-bytes");

/// "fast", "balanced", "best".
const Choices<Effort>& efforts();
std::string effort_name(Effort effort);

void add_threads_option(CLI::App& app, unsigned& threads);

/// As asked, or else the default for the machine. Throws Error (input) where the machine does not
/// tell what was asked.
Goal chosen_goal(const std::optional<Goal>& asked, const Machine& machine);

/// Sets what mappers go by and what is to be minimised.
void set_goal(MapOptions& options, const Goal& goal, const Machine& machine);

/// Where loads and coordinates of the ranks are read from; nothing: from the trace.
struct RankFiles {
  std::optional<std::string> loads;
  std::optional<std::string> coordinates;
};

/// Sets loads and coordinates of the ranks: what the files say, or else what the trace has of them.
/// Coordinates that `options` has already stay. Throws Error (input).
void read_rank_facts(const RankFiles& files, const Trace& trace, MapOptions& options);

/// What needs no file.
struct ProblemOptions {
  std::string trace;
  TraceSelection selection;
  MachineChoice machine;
  RankFiles rank_files;
  bool oversubscribe = false;
  std::optional<std::string> forbidden;  ///< a list of slots
  MapOptions map;                        ///< `goal` as asked; nothing: the default for the machine
};

/// Adds the positional TRACE and all options.
void add_problem_options(CLI::App& app, ProblemOptions& options);

/// Whether the command line gives this input.
bool is_given(const ProblemOptions& options, ExtraInput input);

/// Throws Error (input) where two options contradict each other, or where an input is given though
/// none of the algorithms goes by it.
void check_problem_options(const ProblemOptions& options, std::span<const Algorithm> algorithms);

/// What no order can be below with so many ranks on a slot; nothing for goals that are neither sums
/// over pairs nor network-time.
std::optional<LowerBound> lower_bound_of(const Traffic& traffic, const Machine& machine,
                                         const Goal& goal, std::uint32_t capacity);

/// A problem with all that it refers to.
struct Problem {
  Traffic traffic;
  std::unique_ptr<Machine> machine;
  MapOptions options;
  std::optional<std::string> phase = std::nullopt;  ///< of the trace, that the traffic is of

  std::uint32_t ranks() const { return traffic.graph.ranks(); }
  MapProblem get() const {
    return {traffic.graph, *machine, options, &traffic.trace.bytes, traffic.on_wire()};
  }
  Metrics evaluate(const Mapping& mapping) const {
    return kith::evaluate(traffic.trace.bytes, traffic.graph, *machine, mapping, traffic.on_wire());
  }
  /// Each rank where the launcher would put it.
  Mapping identity() const { return identity_mapping(ranks(), *machine, options.capacity); }
  Metrics baseline() const { return evaluate(identity()); }
  std::optional<LowerBound> bound() const {
    return lower_bound_of(traffic, *machine, goal_of(options), options.capacity);
  }
};
/// Reads the files. Throws Error (input), also where the ranks have no room.
Problem read_problem(const ProblemOptions& options);

/// Wall seconds of the recorded run, where what an order saves is compared with them.
std::optional<double> comparable_wall(const Trace& trace);
/// The same; nothing for a phase.
std::optional<double> comparable_wall(const Problem& problem);

}  // namespace kith::tools
