// All that a report shows, gathered. README.md here says what becomes of it in the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kith/detail/lower_bound.hpp"
#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "kith/objective.hpp"
#include "machine/binding/binding_judge.hpp"
#include "report/axis_levels.hpp"
#include "report/heat_level.hpp"
#include "timeline/period.hpp"
#include "timeline/run_picture.hpp"
#include "timeline/summary.hpp"

namespace kith {

/// Where the traffic comes from. Texts may hold any bytes.
struct ReportRun {
  std::string program;  ///< empty: not known, as with the next
  std::string mpi;
  std::uint32_t ranks = 0;
  std::optional<std::uint64_t> hosts;
  bool is_partial = false;
  std::string collectives;     ///< "exact", "model", "mixed", "off"; empty: not known
  bool is_undirected = false;  ///< it is not known which rank of a pair sent
};

/// In words, for whoever reads nothing else.
struct ReportSummary {
  std::string headline;
  std::vector<std::string> sentences;
  std::string verdict = "unknown";  ///< "reorder", "keep", "unknown"
};

/// A view that the trace does not allow, and why.
struct MissingView {
  std::string view;
  std::string reason;
};

struct ReportTotals {
  Weight bytes = 0;  ///< those of ranks to themselves too
  Weight self_bytes = 0;
  std::optional<Weight> messages;
  std::uint64_t pairs = 0;
  std::map<std::string, Weight> classes;  ///< bytes of "p2p", "coll", "rma"
};

/// A host (node) that holds ranks in one of the orders.
struct ReportHost {
  std::uint64_t node = 0;  ///< its number in the machine
  std::string name;
  std::uint32_t first_place = 0;  ///< its places are consecutive, see rank_axis.hpp
  std::uint32_t places = 0;
};

struct ReportMachine {
  std::string spec;
  std::string kind;            ///< "tree", "grid", "graph", "matrix"
  bool is_of_the_job = false;  ///< found by the job itself: its nodes are the hosts
  std::uint64_t slots = 0;
  std::uint64_t allowed = 0;  ///< slots that ranks may be on
  std::uint64_t nodes = 0;
  std::vector<LevelFact> levels;
  std::vector<std::uint32_t> dims;
  std::vector<ReportHost> hosts;  ///< by number
  std::uint64_t hosts_left_out = 0;
  std::vector<AxisLevel> axis;         ///< see axis_levels()
  std::vector<std::uint32_t> slot_at;  ///< slot at each place; empty: its own number, or too many
};

/// Bytes across the edge of each of ReportMachine::hosts.
struct HostTraffic {
  std::vector<Weight> out;
  std::vector<Weight> in;
  Weight between = 0;  ///< between all hosts of the machine, listed or not
};

/// A matrix at several resolutions, coarse to fine; each halves the blocks of the one before.
struct HeatMatrix {
  std::string name;  ///< "all", "phase:0", ...
  std::vector<HeatLevel> levels;
};

/// A link of the machine as a simulated run uses it.
struct ReportLink {
  std::string name;
  double bytes = 0;
  double busy = 0;  ///< share of the run's time that its bytes take at full speed
};

/// Seconds of the job in an order, by a simulation of its timeline.
struct ReportPrediction {
  double seconds = 0;
  double low = 0;  ///< expected between these
  double high = 0;
  std::string bound;              ///< what bounds the run, in words
  std::vector<ReportLink> links;  ///< the fullest first
};

/// What the predictions of all orders rest on.
struct ReportSeconds {
  double recorded = 0;
  std::optional<double> simulated;  ///< of the recorded order; nothing: on another machine
  /// How far the simulation misses the recorded run, on whatever machine (0.1: 10% too long).
  std::optional<double> miss;
  // In words, sentences without their full stops.
  std::vector<std::string> clock;    ///< what was measured, and how far the simulation misses it
  std::vector<std::string> assumed;  ///< all else that the predictions rest on
};

/// Ranks on slots, and what follows.
struct ReportOrder {
  std::string id;    ///< "present", "kith", "mapping:0", ...
  std::string name;  ///< for the reader
  std::string file;  ///< where it is from; empty: computed
  std::uint64_t moved = 0;
  std::optional<Mapping> mapping;     ///< nothing: no machine
  std::vector<std::uint32_t> places;  ///< place of each rank; empty: no machine
  RankAxis axis;
  bool is_full = false;                     ///< position p of the axis is place p of the machine
  std::vector<std::vector<AxisRun>> along;  ///< by ReportMachine::axis; an empty one: not known
  std::optional<Metrics> metrics;
  std::optional<double> ratio;  ///< of the objective to the present order's
  std::vector<Weight> level_bytes;
  HostTraffic hosts;
  std::optional<ReportPrediction> predicted = {};
  std::vector<HeatMatrix> matrices;
};

struct ReportPhase {
  std::string name;
  Weight bytes = 0;
  std::optional<double> similarity = {};  ///< to the phase before
  std::optional<double> seconds = {};     ///< see ReportData::has_wall_phases
};

/// Messages above the size before and up to this one.
struct ReportSize {
  std::uint64_t up_to = 0;  ///< bytes
  std::uint64_t count = 0;
  std::map<std::string, std::uint64_t> classes;  ///< messages by class of call
};

/// CPU seconds per rank: means over blocks of ranks.
struct ReportLoad {
  std::uint32_t ranks = 0;
  std::uint32_t block = 1;
  std::vector<double> inside;  ///< inside MPI, by block
  std::vector<double> outside;
};

/// A pair of ranks, both ways together.
struct Talker {
  Rank a;
  Rank b;
  Weight bytes = 0;
  std::optional<Weight> messages = {};
  std::string host_a = {};  ///< in the present order; empty: not known
  std::string host_b = {};
  std::optional<int> level = {};  ///< of the machine, as HeatCell's
};

/// What the ranks do when.
struct ReportTime {
  /// Of the first rank, in seconds since the job's first rank left MPI_Init.
  struct Band {
    double begin = 0;
    double end = 0;
    int phase = -1;  ///< index into ReportData::phases; -1: not among them
  };

  std::uint32_t ranks = 0;
  double covered = 1;  ///< share of the operations that the timeline has
  timeline::RunPicture run;
  std::vector<timeline::ShadeSeconds> rows;  ///< of each row of `run`, the mean of its ranks
  std::vector<Band> bands;
  std::vector<timeline::WaitPair> waits;
  std::string uneven;  ///< a sentence without its full stop, where work is; for the summary
  timeline::Period period;
};

/// What the threads of a rank share.
struct ReportThreads {
  /// How often one touched memory after the other, both ways together.
  struct Pair {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint64_t touches = 0;
  };
  /// The matrix of one rank: HeatCell::bytes are touches.
  struct Matrix {
    std::uint32_t rank = 0;
    std::uint32_t threads = 0;
    std::uint64_t samples = 0;  ///< that it is made of; 0: all accesses were seen
    bool is_sharing = false;    ///< ThreadMatrix::is_sharing()
    HeatLevel touches;
    std::vector<Pair> pairs;  ///< those that share most
  };

  std::uint64_t ranks = 0;       ///< that have a matrix
  std::uint64_t sharing = 0;     ///< of them
  std::vector<Matrix> matrices;  ///< of the ranks whose threads share most, by rank
};

struct ReportData {
  std::string title;
  ReportRun run;
  ReportSummary summary;
  std::vector<MissingView> missing;
  ReportTotals totals;
  std::optional<ReportMachine> machine;
  std::vector<ReportOrder> orders;  ///< the present one first; at least one
  std::string objective;            ///< empty: no machine
  std::optional<LowerBound> bound;
  std::optional<double> gap;  ///< of the best order above the bound
  std::vector<ReportPhase> phases;
  /// Their seconds are wall time, on the rank where they took longest; else CPU time of a rank, on
  /// average, as of older traces.
  bool has_wall_phases = false;
  std::uint64_t phases_left_out = 0;
  std::vector<ReportSize> sizes;
  std::optional<ReportLoad> load;
  std::optional<ReportTime> time;        ///< nothing: the trace has no timeline
  std::optional<ReportSeconds> seconds;  ///< nothing: no order has a prediction
  std::optional<ReportThreads> threads;  ///< nothing: no rank has a matrix
  std::vector<BindingFault> binding;  ///< what is wrong with it; none as well where it is unknown
  std::vector<Talker> talkers;
};

// What an order of the ranks makes of the traffic, beside the metrics.

struct ListedHosts {
  std::vector<ReportHost> hosts;  ///< ascending by node
  std::uint64_t left_out = 0;     ///< other nodes of the machine
};
/// The nodes on which any of `mappings` has a rank, the first `most` of them.
ListedHosts hosts_with_ranks(const Machine& machine, std::span<const Mapping* const> mappings,
                             std::size_t most);

/// `hosts` ascending by node. O(entries + ranks log hosts).
HostTraffic host_traffic(const TrafficMatrix& matrix, const Machine& machine,
                         const Mapping& mapping, std::span<const ReportHost> hosts);

/// Bytes between slots that meet at each level, top down: Metrics::level_bytes for machines of
/// every kind. O(entries).
std::vector<Weight> level_bytes(const TrafficMatrix& matrix, const MachineLevels& levels,
                                const Mapping& mapping);

/// The heaviest pairs, ties by lowest ranks; without places. O(edges log most).
std::vector<Talker> biggest_talkers(const TrafficGraph& graph, std::size_t most);

}  // namespace kith
