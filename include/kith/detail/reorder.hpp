// Is a new order worth it? The decision a job takes, and its reason in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kith/mapper.hpp"

namespace kith {

struct ReorderOptions {
  Algorithm algorithm;
  MapOptions map;          ///< capacity is 1: a job has one slot per process
  double min_gain = 0.02;  ///< share of what is minimised that must be saved
  bool keep_rank0 = true;  ///< rank 0 stays on its slot
  /// Each rank only moves to the same local index of another node (programs that choose a device by
  /// it): one search of its own, whatever the algorithm.
  bool keep_local = false;
  /// With keep_local: the local index of the process on each slot that holds one, slots ascending.
  /// Empty: the machine's nodes are the hosts, and their slots are counted.
  std::vector<std::uint32_t> local_indices;
  /// The ranks hold data that would move with them: of equally good orders the one that moves
  /// fewest ranks.
  bool has_state = false;
  /// With has_state: bytes that each rank holds. More than 0: an order is applied only where it
  /// saves more, while the run lasts, than moving costs, and kith and auto look for the one that
  /// gains most on balance (up to three searches instead of one).
  double state_bytes = 0;
  /// How many times the traffic in `matrix` is still to come. Not negative.
  double remaining = 1;
  /// Wall seconds of the run that sent the traffic. Where the bandwidth of the network was measured
  /// and network-time is minimised, min_gain is a share of this.
  std::optional<double> wall_seconds;
};

/// What an order gains, as compared with min_gain.
struct CountedGain {
  double share = 0;
  /// The run's wall seconds, where `share` is one of them; else it is of the goal, or of the sum
  /// over pairs.
  std::optional<double> wall_seconds;
};

struct ReorderDecision {
  bool apply = false;
  Mapping mapping;  ///< the new order where apply, else the present one
  Metrics before;
  Metrics after;  ///< of the proposed order, applied or not
  CountedGain gain;  ///< of the proposed order
  Goal goal;      ///< what was minimised
  /// Whether no order that leaves rank 0 where it has to stay is better than the proposed one; false
  /// where that is not known, and where ranks hold state or keep their local indices.
  bool is_optimal = false;
  std::string algorithm;
  std::string account;      ///< what the mapper says of its answer, in one line; may be empty
  std::uint32_t moved = 0;  ///< ranks that the proposed order moves
  double moving_cost = 0;   ///< state_bytes x distance, summed over ranks; in the objective's unit
  double saving = 0;        ///< remaining x what it lowers the objective by; same unit
  /// One sentence for the user, no newline: what is gained by which order and how many ranks move;
  /// where the order stays, why, and how far above the optimum it is at most, as far as known.
  std::string reason;
};

/// Of the run's wall time where it is known and compared (see ReorderOptions::wall_seconds). Else
/// the share by which the goal falls or, where it does not rise, `tie`, which decides between
/// equals; 0 where the goal rises, or is bought with more of `tie` than it saves.
CountedGain counted_gain(const Goal& goal, Objective tie, const Machine& machine,
                         const Metrics& before, const Metrics& after,
                         const std::optional<double>& wall_seconds = std::nullopt);

/// Maps `matrix` onto the slots that hold a process now and decides. `present`: the slot of each
/// rank, each another one that is allowed; null: rank i is on the i-th allowed slot. `wire`: as
/// evaluate() takes it. Never proposes
/// an order whose predicted objective is not below the present one. Throws Error where the problem
/// is unusable (more ranks than slots, ...).
ReorderDecision decide_reorder(const TrafficMatrix& matrix, const Machine& machine,
                               const ReorderOptions& options, const Mapping* present = nullptr,
                               const TrafficMatrix* wire = nullptr);

}  // namespace kith
