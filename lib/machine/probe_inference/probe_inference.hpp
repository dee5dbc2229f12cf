// From measured pairs of hosts to a network: groups of near hosts, levels, the report of kith-
// probe.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/network/host_network.hpp"

namespace kith {

// What was measured between two hosts.

/// Both directions count alike: values are their mean.
struct MeasuredPair {
  std::uint32_t a = 0;  ///< hosts, by index
  std::uint32_t b = 0;
  double cost = 0;             ///< picoseconds a byte takes in messages of 64 KiB; 0: not known
  double latency_us = 0;       ///< of a small message, one way; 0: not known
  double megabytes_per_s = 0;  ///< of large messages, one way; 0: not known
  double burst_bytes = 0;      ///< that pass at once after a pause; 0: none, or not known
  double overhead_us = 0;      ///< that a small send keeps its sender; 0: not known
  double shared_megabytes_per_s = 0;  ///< of several such messages at once; 0: not known
  double eager_bytes = 0;  ///< largest message that does not wait for its receive; 0: not known
};

/// A number between two hosts, of which a smaller one means nearer.
struct PairValue {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double value = 0;  ///< more than 0
};

/// Hosts that are all nearer to each other than to anyone else below their parent.
struct HostGroup {
  static constexpr std::uint32_t none = UINT32_MAX;

  std::vector<std::uint32_t> hosts;  ///< ascending
  std::uint32_t parent = none;       ///< index among the groups, less than the group's own
  double value = 0;  ///< median over the pairs that part here: in no common group below
};

/// The groups within `hosts`, the first of which is all of them. A group is one where the median
/// from it to any host outside it exceeds what is usual inside it (all but the largest tenth) by a
/// clear factor: 1.25, or 1.5 where fewer than six pairs inside or outside speak for it, so that
/// noise of 20 per cent makes none. Pairs with a host that is not in `hosts` are passed over; not
/// every pair need be there. Hosts that fit nowhere are in the first group only.
std::vector<HostGroup> find_groups(std::vector<std::uint32_t> hosts,
                                   std::span<const PairValue> pairs);

/// Indices of pairs that contradict the others: in a tree of switches the two largest of three
/// hosts' values are alike, and these pairs are what most of the triangles have in common where
/// they are not. To be measured again, or left out. Time O(pairs x pairs per host).
std::vector<std::size_t> find_contradictions(std::uint32_t hosts, std::span<const PairValue> pairs);

// From measurements between hosts to layers of switches.

/// Layers of switches between hosts, as measured.
struct InferredLevels {
  /// switch_of[layer][host], layers top down: switches of a layer are numbered from 0 in the order
  /// of their first hosts. Hosts on one switch are on one switch of every layer above. No layer:
  /// all hosts are equally near. A host or switch that hangs higher has a switch to itself below.
  std::vector<std::vector<std::uint32_t>> switch_of;

  /// How many levels two hosts can meet at: the layers and, above them, the network.
  std::size_t levels() const { return switch_of.size() + 1; }
  /// 0 where two hosts meet at the top, else 1 + the lowest layer of which they share a switch.
  std::size_t meeting(std::uint32_t a, std::uint32_t b) const;
};

/// Groups by cost, and where cost shows no difference by latency (switches without a bottleneck),
/// if that makes a difference of 2 per cent to messages of 64 KiB; pairs that contradict the others
/// are left out. `pairs`: each at most once, as many as were measured; values of 0 are passed over.
/// Groups of like cost share a layer (within a factor of 1.5), so groups inside a group are always
/// in a lower one.
InferredLevels infer_levels(std::uint32_t hosts, std::span<const MeasuredPair> pairs);

/// Indices of pairs that should be measured again: their costs contradict those of other pairs.
std::vector<std::size_t> doubtful_pairs(std::uint32_t hosts, std::span<const MeasuredPair> pairs);

// Which pairs of hosts are measured, and when: enough to tell how they are connected, in bounded
// time.

/// How a survey measures, and what it is told.
struct SurveyMeans {
  /// Measures all of the pairs at the same time and fills in what it found; no host is in two.
  std::function<void(std::span<MeasuredPair>)> measure;
  /// Seconds since the survey began.
  std::function<double()> seconds;
  /// Called before each round with what has been measured and what will be, as far as known now.
  std::function<void(std::size_t measured, std::size_t planned)> progress;
};

struct Survey {
  std::vector<MeasuredPair> pairs;  ///< each once at most
  bool out_of_time = false;         ///< ended before it knew enough
};

/// Measures every pair, one at a time so that nothing interferes, where that fits into `time_limit`
/// seconds. Else one host (a pivot) with all others; those that are equally near to it are a band,
/// and each band is surveyed in the same way, until two pivots found all of a band alike. Pairs of
/// different bands share no cable in a tree of switches, so bands are measured at the same time.
/// As far as time is left, all of it is done once more, and the smaller value of each pair counts.
/// Pairs that contradict the others are measured twice again; the median of the three counts. A
/// round that has begun is finished after the limit.
Survey survey_pairs(std::uint32_t hosts, double time_limit, const SurveyMeans& means);

// The network of a job, from what a probe measured.

/// What `kith probe` finds out.
struct NetworkMeasurements {
  struct Host {
    std::string name;
    std::uint32_t slots = 1;
  };
  /// Between two processes of one host. Hosts and processes are not told apart: `pair.a`, `pair.b`
  /// mean nothing.
  struct Inside {
    std::string level;        ///< where the two meet: "host", "package", ...
    std::uint32_t depth = 0;  ///< of the level, 0 the host: orders the levels
    MeasuredPair pair;
  };
  std::vector<Host> hosts;
  std::vector<MeasuredPair> pairs;  ///< between hosts; each at most once, none need be there
  std::vector<Inside> inside;
};

/// Layers of switches as infer_levels() finds them, the switches numbered by layer ("switch0",
/// "switch2-0"); each level with the medians of its pairs. One host has no levels between hosts.
HostNetwork network_of(const NetworkMeasurements& measured);

}  // namespace kith

namespace kith::probe {

// What the measuring program tells `kith probe`, as lines of text: launchers pass rank 0's output
// on, wherever it runs, but may put words before a line and other programs' lines between.

struct Report {
  std::uint32_t ranks = 0;
  double seconds = 0;        ///< that measuring took
  bool out_of_time = false;  ///< not all was measured that should have been
  NetworkMeasurements measured;
  /// A host whose ranks shared processors while they measured.
  struct Crowded {
    std::uint32_t host = 0;  ///< index among the measured ones
    std::uint32_t ranks = 0;
    std::uint32_t processors = 0;  ///< that any of its ranks might run on
  };
  std::vector<Crowded> crowded;
};

/// One line, to be printed at once, for a person who waits.
std::string progress_line(std::string_view doing);

/// The first line, printed when all ranks have met.
std::string begin_line(std::uint32_t ranks);

/// All else.
std::string report_text(const Report& report);

/// Puts a report together from lines.
class ReportReader {
 public:
  /// What a line was.
  enum class Line { other, progress, begin, part };
  /// One line without its end. Throws Error (environment) for a damaged one.
  Line take(std::string_view line);

  /// Of the last progress line.
  const std::string& doing() const { return doing_; }
  /// How many programs said that they begin: more than one where ranks do not know of each other.
  unsigned begun() const { return begun_; }
  /// Once its end has been read, and all lines before it.
  bool complete() const { return complete_; }
  const Report& report() const { return report_; }

 private:
  void take_part(std::string_view kind, std::string_view rest);

  Report report_;
  std::string doing_;
  unsigned begun_ = 0;
  std::uint64_t lines_ = 0;
  bool complete_ = false;
};

}  // namespace kith::probe
