#include "mapping/state_cost.hpp"

#include <algorithm>

#include "mapping/remap/moves.hpp"

namespace kith {

double StateCost::saving(const Metrics& before, const Metrics& after) const {
  const Objective objective = options_.map.objective;
  const double saved = static_cast<double>(before.objective(objective)) -
                       static_cast<double>(after.objective(objective));
  return options_.remaining * saved / scale();
}

std::uint64_t StateCost::move_cost_like(const Mapping& order) const {
  // Enough to keep every rank where it is; sums of it stay within 128 bits.
  constexpr double most = 0x1p62;
  const double moved = static_cast<double>(moved_ranks(present_, order));
  const double of_one = options_.state_bytes * distance_to(order) / moved;
  if (!(of_one < most * options_.remaining)) return static_cast<std::uint64_t>(most);
  return static_cast<std::uint64_t>(of_one / options_.remaining);
}

double StateCost::distance_to(const Mapping& order) const {
  double sum = 0;
  for (std::uint32_t r = 0; r < present_.ranks(); ++r) {
    const Slot from = present_[Rank(r)];
    const Slot to = order[Rank(r)];
    if (from == to) continue;
    sum += static_cast<double>(options_.map.objective == Objective::hop_bytes
                                   ? machine_.hops(from, to)
                                   : machine_.cost(from, to));
  }
  return sum;
}

double StateCost::scale() const {
  return options_.map.objective == Objective::hop_bytes
             ? 1
             : static_cast<double>(machine_.cost_scale());
}

}  // namespace kith
