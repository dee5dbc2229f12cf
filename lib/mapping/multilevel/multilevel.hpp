// The multilevel algorithms: bisection, division along a tree, refinement of its parts, and how
// much they try.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/machine.hpp"
#include "kith/mapper.hpp"
#include "kith/objective.hpp"
#include "mapping/budget.hpp"
#include "mapping/multilevel/work_graph.hpp"

namespace kith::multilevel {

/// How much to try.
struct Trials {
  unsigned starts = 8;           ///< of each bisection, at its coarsest graph
  unsigned partitions = 1;       ///< into all parts, the best of which is kept
  unsigned passes = 4;           ///< of refinement on each level
  std::uint32_t patience = 200;  ///< moves without a better state
  unsigned cycles = 0;           ///< combinations of two of the partitions, or of one with itself
  /// How often one refinement of all pairs of parts may look at each edge. Meshes need 8; where all
  /// parts talk to each other each round takes as many as there are parts.
  unsigned sweeps = 200;
};

/// Measured on trees of four levels and nine patterns of 4096 ranks: 2.5 microseconds an edge; the
/// objective is 9% above heavy_trials.
inline constexpr Trials light_trials{.starts = 4, .passes = 2, .patience = 100};
/// 9 microseconds an edge, heavy tails 17; 4% above.
inline constexpr Trials usual_trials{.partitions = 2, .cycles = 3};
/// 36 microseconds an edge, heavy tails 90.
inline constexpr Trials heavy_trials{.partitions = 12, .cycles = 14};

/// A side, 0 or 1, for each vertex: those on side 0 are `size_of_0` ranks, exactly where all
/// vertices are single ranks, else as nearly as was found. Where the budget ends it, the sizes are
/// off too.
std::vector<std::uint8_t> bisect(const WorkGraph& graph, std::uint64_t size_of_0,
                                 const Trials& trials, Rng& rng, Budget* budget = nullptr);

/// Ascending allowed slots, at least `count` and less than twice as many where the machine allows
/// more than that: on a grid that allows all a box with little surface, elsewhere the nearest ones
/// to that slot, of some tried, that has them nearest. `given`: slots to try, where others would
/// make no sense; may be empty. All allowed slots where those are fewer than 2 x count.
/// Of more than 100 000 allowed slots only so many, the first, are looked at, or 4 x count.
std::vector<Slot> close_slots(const Machine& machine, Objective objective, std::uint64_t count,
                              std::vector<Slot> given);

/// Divides the ranks of each object among its children so that as little as possible is sent
/// between them, from the root down. Objects are filled from left to right where there are more
/// places than ranks. `budget` (may be null) pays for each rank or group moved on trial; nothing
/// where it is exhausted before the end.
std::optional<Mapping> multisect_tree(const MapTask& problem, const TreeMachine& tree,
                                      const Trials& trials, std::uint64_t seed, Budget* budget);

/// Exchanges ranks between any two objects whose children are slots (slots themselves where they
/// take several ranks) and that talk to each other, brothers or not, and moves some to free slots,
/// as refinement of a graph of two sides with the objective's true gains: what the two pay to all
/// others is the bias. Never raises the objective, wherever `budget` (may be null) ends it.
Mapping refine_blocks(const MapTask& problem, const TreeMachine& tree, Mapping mapping,
                      const Trials& trials, Budget* budget);

// Ranks and slots divided together, two parts at a time; first the slots into two halves.

/// Dual recursive bipartitioning (Pellegrini, Roman: "Scotch: A Software Package for Static Mapping
/// by Dual Recursive Bipartitioning", HPCN 1996) with our own bisection: all regions of one depth
/// are divided before the next, and each rank is drawn to where its partners in other regions are.
/// Any machine. Of many more slots than are needed close ones are taken (close_slots());
/// regions are filled one after the other where there are more places than ranks.
/// Each bisection takes as many units of work as its part has ranks and edges from `budget` (null:
/// unlimited). Nothing where the budget did not last: half a division is no mapping.
std::optional<Mapping> bisect_machine(const MapTask& problem, const Trials& trials,
                                      std::uint64_t seed, Budget* budget);

// How the slots of a machine fall apart, two parts at a time.

/// Slots begin .. end-1 of the order that Halves keeps.
struct Region {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t slots() const { return end - begin; }
  bool operator==(const Region&) const = default;
};

/// An order of slots that split() refines: near slots come to lie together.
class Halves {
 public:
  /// Grids are cut across their longest side, nodes along their trees; elsewhere each slot joins
  /// the nearer of two far ones. `slots` of the machine, which must outlive the answer.
  static std::unique_ptr<Halves> of(const Machine& machine, Objective objective,
                                    std::vector<Slot> slots);

  virtual ~Halves() = default;
  std::span<const Slot> slots() const { return slots_; }
  Region all() const { return {0, static_cast<std::uint32_t>(slots_.size())}; }
  /// Reorders a region of at least two slots and returns its first part, neither empty nor all; the
  /// second is the rest.
  virtual Region split(Region region) = 0;
  /// About what the objective charges between slots of two regions.
  virtual double distance(Region a, Region b) const = 0;

 protected:
  explicit Halves(std::vector<Slot> slots) : slots_(std::move(slots)) {}
  std::vector<Slot> slots_;
};

}  // namespace kith::multilevel
