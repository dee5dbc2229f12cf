// What is minimised: one metric, or several in a weighted mix.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kith/objective.hpp"

namespace kith {

/// A metric that may be minimised. The first two are sums over pairs (Objective), which mappers and
/// searches lower step by step; the others are the largest of many numbers.
enum class Criterion { hop_bytes, sum_com, max_com, link_load, network_time };

inline constexpr Criterion criteria[] = {Criterion::hop_bytes, Criterion::sum_com,
                                         Criterion::max_com, Criterion::link_load,
                                         Criterion::network_time};

std::string_view to_string(Criterion criterion);  ///< "link-load"
Criterion criterion_of(Objective objective);

/// One criterion, or a mix: the sum of weight x (value / value of identity) over its terms, so that
/// weights compare whatever the units.
struct Goal {
  struct Term {
    Criterion criterion = Criterion::hop_bytes;
    double weight = 1;  ///< finite, more than 0; of a single term without meaning
  };
  std::vector<Term> terms;  ///< at least one, no criterion twice

  bool is_mix() const { return terms.size() > 1; }
  bool has(Criterion criterion) const;
  bool is_only(Criterion criterion) const { return !is_mix() && has(criterion); }
  /// "link-load"; "hop-bytes:1,link-load:0.5".
  std::string name() const;
  /// The sum over pairs that this goal is; nothing where it is another goal.
  std::optional<Objective> as_objective() const;
  /// The sum over pairs whose minimum comes near to this goal's: of the heaviest term, the first
  /// among equals. That of link_load is hop_bytes (all loads together), of max_com sum_com, of
  /// network_time default_objective().
  Objective nearest_objective(const Machine& machine) const;
};

/// What is minimised where nobody asks for another goal: network_time where the machine names
/// several hosts, else default_objective().
Goal default_goal(const Machine& machine);

/// What a job minimises on the machine, wherever its description comes from: network_time between
/// several hosts whose costs nobody gives, else default_objective().
Goal goal_of_job(const Machine& machine);

/// Throws Error (input) where the goal has link_load and the machine does not say which route
/// messages take.
void check_goal(const Goal& goal, const Machine& machine);

/// The value of a criterion, exact; link_load needs a machine whose routes are known.
Quantity measured(Criterion criterion, const Metrics& metrics);

/// The values of the goal's terms in their order, in exact units, without the other metrics.
/// O(edges), with loads of links x (depth or dimensions). `wire`: as evaluate() takes it. Throws
/// Error (input) beyond 64 bits and as check_goal().
std::vector<std::uint64_t> measure(const Goal& goal, const TrafficMatrix& matrix,
                                   const TrafficGraph& graph, const Machine& machine,
                                   const Mapping& mapping, const TrafficMatrix* wire = nullptr);

/// One number of the terms' values, less is better: those of a single term themselves; of a mix the
/// sum above over the sum of the weights, in units of 2^-mix_bits, rounded down: identity has about
/// 1. `identity` as measure() gives it, used for mixes only. A term that identity has at 0 counts
/// as if that were 1 unit. Beyond 64 bits: the largest number.
inline constexpr unsigned mix_bits = 40;
std::uint64_t combined(const Goal& goal, std::span<const std::uint64_t> values,
                       std::span<const std::uint64_t> identity);

/// The same of finished metrics, for output: the value of a single criterion in its unit, of a mix
/// about 1 for identity itself.
double goal_value(const Goal& goal, const Metrics& metrics, const Metrics& identity);
/// The same in exact units, to compare.
std::uint64_t goal_units(const Goal& goal, const Metrics& metrics, const Metrics& identity);

}  // namespace kith
