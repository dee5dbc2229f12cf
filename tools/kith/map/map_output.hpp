// What `kith map` answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/launch/launch_file.hpp"
#include "kith/detail/choice.hpp"
#include "kith/detail/goal.hpp"
#include "kith/detail/job.hpp"
#include "kith/detail/lower_bound.hpp"
#include "problem.hpp"

namespace kith::tools {

// What `kith map` is asked for.

/// What -o writes: the mapping as such, the chosen hosts, or a launcher's file.
enum class MapFormat { mapping, json, hosts, nodelist, launch_file };

struct MapCommand {
  ProblemOptions problem;
  std::optional<std::string> from;  ///< a mapping file: where the ranks are now
  /// What a move adds to the objective; a text, since its unit is that of goal and machine.
  std::optional<std::string> move_cost;
  Algorithm algorithm = find_algorithm("auto");
  std::optional<std::string> output;
  std::optional<MapFormat> format;
  std::optional<std::uint32_t> threads_of;  ///< a rank: its threads are mapped, not the ranks
  bool all_threads = false;                 ///< the ranks are mapped, and the threads of each
  const LaunchFormat* launch = nullptr;     ///< of MapFormat::launch_file
  bool choose = false;
  bool json = false;

  MapFormat chosen_format() const {
    return format.value_or(choose ? MapFormat::hosts : MapFormat::mapping);
  }
};

/// Adds all arguments and options. `command` must outlive `app`.
void add_map_options(CLI::App& app, MapCommand& command);

/// What can be said before a file is opened. Throws Error (input) naming the option.
void check_map_options(const MapCommand& command);

/// With threads_of: what the rank's threads share takes the place of the trace, and the host of the
/// rank that of the machine, where none is named. Throws Error (input).
void turn_to_threads(MapCommand& command);

/// With all_threads: throws Error (input) where the other options do not allow that.
void check_all_threads(const MapCommand& command);
/// With all_threads: a shell script that starts a rank with OMP_PLACES of its own. Throws Error
/// (input).
std::string thread_script(const MapCommand& command, const Trace& trace, const Mapping& mapping);

/// Sets options.from and options.move_cost of the problem; its goal must be known. Ranks beyond
/// those of the mapping are new. Tells where the mapping was made for another machine. Throws Error
/// (input) with file:line or the option.
void read_from(const MapCommand& command, Problem& problem);

/// How the ranks of an answer move.
struct Moves {
  std::uint64_t moved = 0;      ///< leave the place that they had
  std::uint64_t displaced = 0;  ///< of them: whose slot is not allowed any more
  std::uint64_t added = 0;      ///< had no place
};
Moves count_moves(const Mapping& from, const Mapping& to, const Machine& machine);

/// An answer with its account. The references must outlive it.
struct MapAnswer {
  const std::string& asked;  ///< the algorithm by the user's name
  const Machine& machine;
  Goal goal;
  const MapResult& result;
  const Metrics& metrics;
  const Metrics& baseline;
  /// The nodes in use, where they were chosen.
  std::optional<std::vector<ChosenNode>> nodes;
  /// Where it is known where the ranks were.
  std::optional<Moves> moves;
};

std::string map_json(const MapAnswer& answer, const std::optional<LowerBound>& bound);

/// One line for stderr: objective, identity's, moves, seconds.
/// `mapped`: what got a place, "rank" or "thread".
std::string map_summary(const MapAnswer& answer, std::string_view mapped);

/// What -o writes, and what is to be told about it.
struct AnswerText {
  std::string text;
  std::vector<std::string> notes;
};

/// The answer as a launcher takes it; `output` is the file's name where it goes into one. `trace`
/// has the job that the machine "job" means, and the program for the launcher's command. Throws
/// Error (input) naming --format where that cannot be.
AnswerText launch_text(const LaunchFormat& format, const MapAnswer& answer, const Trace& trace,
                       const std::optional<std::string>& output);

/// "NAME slots=N" for each chosen node: what Open MPI reads as a host file.
std::string host_list(const MapAnswer& answer);

/// The names on one line as a hostlist, "tux[3-7,12]": what Slurm takes as --nodelist.
std::string node_list(const MapAnswer& answer);

}  // namespace kith::tools
