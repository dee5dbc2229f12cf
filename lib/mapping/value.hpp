// The value of a mapping: the one comparison of finished mappings, and how a move changes it.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "objective/wide.hpp"

namespace kith {

/// Less is better.
struct MappingValue {
  /// What is to be minimised, options.goal combined() or else options.objective, with what the
  /// moves from options.from cost. Network-time in steps of a thousandth of identity's, so that the
  /// tie decides between times that nobody can tell apart.
  Wide total = 0;
  std::uint64_t moved = 0;  ///< among equals: the ranks that move
  /// Then options.objective, where that is not the goal: many mappings have one maximum.
  std::uint64_t tie = 0;
  Wide exact = 0;  ///< then the total before it was put into steps
  auto operator<=>(const MappingValue&) const = default;
};

/// Values of many mappings of one problem. O(edges) each; with a goal that has link_load x (depth
/// or dimensions). Throws Error (input) for sums beyond 64 bits and as check_goal().
class MappingValuer {
 public:
  /// `problem` must outlive this.
  explicit MappingValuer(const MapTask& problem);
  MappingValue operator()(const Mapping& mapping) const;
  /// A total in the steps of the problem's goal.
  Wide in_steps(Wide total) const;

 private:
  std::vector<std::uint64_t> measures(const Goal& goal, const Mapping& mapping) const;

  const MapTask problem_;
  TrafficMatrix own_matrix_;             // where the problem has none and links are asked for
  std::vector<std::uint64_t> identity_;  // of mixes and times: what they are relative to
};

inline MappingValue value_of(const MapTask& problem, const Mapping& mapping) {
  return MappingValuer(problem)(mapping);
}

// The cost of moves.

/// A difference of two values, after minus before.
struct ValueChange {
  SignedWide total = 0;
  std::int64_t moved = 0;
  auto operator<=>(const ValueChange&) const = default;
  ValueChange& operator+=(const ValueChange& other) {
    total += other.total;
    moved += other.moved;
    return *this;
  }
  bool is_gain() const { return *this < ValueChange{}; }
};

/// The part of the value that depends on single ranks: which ranks have left their slots of
/// options.from. Holds a reference to the options.
class MoveCost {
 public:
  /// Beside the sum over pairs options.objective. A mix has other units: there moves only decide
  /// between equals, and what is found is judged by its value (value.hpp).
  explicit MoveCost(const MapOptions& options)
      : from_(options.from ? &*options.from : nullptr),
        cost_(options.goal && options.goal->is_mix() ? 0 : options.move_cost) {}

  /// Whether moves count at all.
  bool counts() const { return from_ != nullptr; }
  /// The slot of r in options.from; no_slot if r is new, or moves do not count.
  Slot place(Rank r) const { return from_ == nullptr ? no_slot : (*from_)[r]; }
  /// Change of the value if r moves from one slot to another.
  ValueChange change(Rank r, Slot before, Slot after) const {
    const Slot home = place(r);
    if (home == no_slot) return {};
    const std::int64_t moved = std::int64_t{after != home} - std::int64_t{before != home};
    return {SignedWide{moved} * static_cast<SignedWide>(cost_), moved};
  }

 private:
  const Mapping* from_;
  std::uint64_t cost_;
};

}  // namespace kith
