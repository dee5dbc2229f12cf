// What `kith info` tells of a trace, in numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "io/format/trace_text.hpp"
#include "kith/detail/structure.hpp"
#include "kith/error.hpp"
#include "kith/traffic.hpp"
#include "machine/binding/binding_judge.hpp"
#include "output.hpp"
#include "run_time.hpp"

namespace kith::tools {

struct RankPair {
  Rank a;
  Rank b;
  Weight weight;
};

struct PhaseFacts {
  std::string name;
  Weight bytes = 0;
  std::optional<double> similarity;  ///< to the phase before; nothing where one of them is silent
  std::optional<double> wall_seconds;  ///< TracePhase's
};

/// Consecutive phases less alike than this have patterns of their own.
inline constexpr double alike = 0.9;

struct ClassFacts {
  const char* name;
  const char* file;
  std::optional<Weight> bytes;
};

/// The ranks of one host, in words.
struct Place {
  std::string host;
  std::string ranks;
};

/// CPU seconds of the ranks in the whole run.
struct LoadFacts {
  double mean_outside_s = 0;
  double max_outside_s = 0;
  double min_outside_s = 0;
  double imbalance = 0;     ///< max / mean outside MPI; 1 is even
  double inside_share = 0;  ///< of all CPU time
  std::optional<std::uint64_t> instructions;
};

/// The messages of one class of call by size.
struct SizeFacts {
  std::string call_class;
  std::uint64_t messages = 0;
  std::uint64_t half_at_most = 0;  ///< bytes: half of the messages have no more
  std::uint64_t all_at_most = 0;
  std::vector<SizeCount> sizes;
};

/// What is printed, in either form. Absent: a single matrix file, or an older trace, does not tell.
struct Facts {
  std::uint64_t entries = 0;
  Weight bytes = 0;
  Weight self_bytes = 0;
  std::optional<Weight> messages;
  std::vector<ClassFacts> classes{{"p2p", trace_names::p2p_bytes, {}},
                                  {"coll", trace_names::coll_bytes, {}},
                                  {"rma", trace_names::rma_bytes, {}}};
  std::uint64_t pairs = 0;
  double mean_degree = 0;
  std::uint64_t max_degree = 0;
  std::vector<RankPair> heaviest;
  std::optional<GridStructure> structure;
  std::vector<PhaseFacts> phases;
  bool phases_differ = false;  ///< two of those that hold much of the traffic are not alike
  std::optional<LoadFacts> load;
  std::optional<RunTime> time;      ///< nothing: the trace has no timeline, or a damaged one
  std::optional<Error> damage;      ///< of the timeline
  std::vector<std::string> absent;  ///< files that a whole trace has, and this one lacks
  std::vector<SizeFacts> sizes;
  std::vector<Place> places;
  /// Ranks of which the trace has what their threads share, and those of which they share
  /// something.
  std::uint32_t ranks_with_threads = 0;
  std::uint32_t ranks_with_sharing = 0;
  std::uint32_t most_threads = 0;     ///< of one of them
  std::uint64_t most_samples = 0;     ///< of one of them; 0: all accesses were seen
  std::vector<BindingFault> binding;  ///< mistakes; none as well where bindings are not known
};

/// None where the hardware's file is damaged: what the trace says of traffic holds all the same.
std::vector<BindingFault> find_binding_faults(const JobDescription& job,
                                              const std::vector<SharingThreads>& sharing);

/// Reads what of the trace is not in memory yet. Throws Error (input), but not for a damaged
/// timeline: all else holds without it.
Facts find_facts(const Traffic& traffic);

// Who sends how much to whom, as a picture of characters.

/// The sums of a matrix over squares of consecutive ranks, all of one size but the last.
struct TileSums {
  std::uint32_t ranks = 0;
  std::uint32_t ranks_of_tile = 1;
  std::uint32_t tiles = 0;    ///< along each axis
  std::vector<Weight> bytes;  ///< tiles x tiles, row by row: what the row's ranks send

  Weight at(std::uint32_t row, std::uint32_t column) const {
    return bytes[std::size_t{row} * tiles + column];
  }
};

/// At most `most` tiles along each axis. What ranks send to themselves is left out. The sum of all
/// cells must fit into 64 bits. O(entries + most^2).
TileSums tile_sums(const TrafficMatrix& matrix, std::uint32_t most);

/// A title, the picture on a logarithmic scale with ranks beside it, and what its shades mean: at
/// most 36 lines, as wide as the terminal allows. Colours, blocks or plain ASCII, as the terminal
/// knows them; plain ASCII without escapes otherwise. Empty where no rank sends to another.
std::string heatmap(const TrafficMatrix& matrix, const Terminal& terminal);

}  // namespace kith::tools
