// What moving ranks from where they are costs.
#pragma once

#include <compare>
#include <cstdint>

#include "mapping/value.hpp"

namespace kith {

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

/// The part of the value that depends on single ranks: who has left its place. Holds a reference to
/// the options.
class MoveCost {
 public:
  /// Beside the sum over pairs options.objective. A mix has other units: there moves only decide
  /// between equals, and what is found is judged by its value (value.hpp).
  explicit MoveCost(const MapOptions& options)
      : from_(options.from ? &*options.from : nullptr),
        cost_(options.goal && options.goal->is_mix() ? 0 : options.move_cost) {}

  /// Whether moves count at all.
  bool counts() const { return from_ != nullptr; }
  /// Where r is now; no_slot where it is new, or moves do not count.
  Slot place(Rank r) const { return from_ == nullptr ? no_slot : (*from_)[r]; }
  /// What it changes that r goes from one slot to another.
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
