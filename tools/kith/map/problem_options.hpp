// What is to be mapped, onto what and under which rules: shared by `kith map` and `kith compare`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "kith/lower_bound.hpp"
#include "kith/mapper.hpp"
#include "mapper_inputs.hpp"

namespace kith::tools {

/// The words of the command line.
struct ProblemWords {
  std::string trace;
  MachineChoice machine;
  MapperInputs mapper;
  std::string affinity = "bytes";
  std::optional<std::string> phase;
  std::optional<std::string> objective;
  std::string effort = "balanced";
  std::string seed = "1";
  std::optional<std::string> time_limit;
  std::optional<std::string> work;
  bool oversubscribe = false;
  std::optional<std::string> per_slot;
  std::vector<std::string> fixed;
  std::optional<std::string> forbidden;
};

/// Adds the positional TRACE and all options. `words` must outlive `app`.
void add_problem_options(CLI::App& app, ProblemWords& words);

/// All that is known before a file is opened.
struct ProblemWishes {
  MapOptions map;
  std::optional<Goal> goal;
  TraceSelection selection;
};
/// Throws Error (input) naming the option.
ProblemWishes parse_problem(const ProblemWords& words);

/// A problem with all that it refers to.
struct ReadProblem {
  Traffic traffic;
  std::unique_ptr<Machine> machine;
  MapOptions options;

  std::uint32_t ranks() const { return traffic.graph.ranks(); }
  MapProblem get() const {
    return {traffic.graph, *machine, options, nullptr, &traffic.trace.bytes};
  }
  Metrics evaluate(const Mapping& mapping) const {
    return kith::evaluate(traffic.trace.bytes, traffic.graph, *machine, mapping);
  }
  /// Each rank where the launcher would put it.
  Mapping identity() const { return identity_mapping(ranks(), *machine, options.capacity); }
  Metrics baseline() const { return evaluate(identity()); }
  /// Of goals that are sums over pairs.
  std::optional<LowerBound> bound() const {
    if (options.goal) return std::nullopt;
    return objective_lower_bound(traffic.graph, *machine, options.objective, options.capacity);
  }
};
/// Reads the files. Throws Error (input), also where the ranks have no room.
ReadProblem read_problem(const ProblemWords& words, ProblemWishes wishes);

}  // namespace kith::tools
