#include "mapping/multilevel/multilevel.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "kith/detail/network_machine.hpp"
#include "objective/distance.hpp"

namespace kith::multilevel {
namespace {

/// The extents of a box of at least so many nodes: each step makes its shortest side longer.
std::vector<std::uint32_t> box_of(std::span<const std::uint32_t> extents, std::uint64_t nodes) {
  std::vector<std::uint32_t> box(extents.size(), 1);
  std::uint64_t volume = 1;
  while (volume < nodes) {
    std::optional<std::size_t> shortest;
    for (std::size_t d = 0; d < box.size(); ++d) {
      if (box[d] < extents[d] && (!shortest || box[d] < box[*shortest])) shortest = d;
    }
    volume = volume / box[*shortest] * (box[*shortest] + 1);
    ++box[*shortest];
  }
  return box;
}

/// The slots of the box's nodes at the corner of the grid.
std::vector<Slot> corner_box(const NetworkMachine& machine, const GridNetwork& grid,
                             std::uint64_t count) {
  const std::uint32_t per_node = machine.slots_per_node();
  const auto box = box_of(grid.extents(), (count + per_node - 1) / per_node);
  std::vector<Slot> slots;
  std::vector<std::uint32_t> at(box.size(), 0);
  while (true) {
    const std::uint32_t node = grid.node_at(at);
    for (std::uint32_t i = 0; i < per_node; ++i) slots.emplace_back(node * per_node + i);
    std::size_t d = box.size();
    while (d > 0 && at[d - 1] + 1 == box[d - 1]) at[--d] = 0;
    if (d == 0) return slots;
    ++at[d - 1];
  }
}

/// Slots around several centres.
template <class Distance>
std::vector<Slot> tightest_ball(const std::vector<Slot>& candidates, std::uint64_t count,
                                const std::vector<Slot>& centres, const Distance& distance) {
  std::vector<Slot> tightest;
  std::uint64_t least = 0;
  std::vector<std::pair<std::uint64_t, Slot>> by_distance(candidates.size());
  for (const Slot centre : centres) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      by_distance[i] = {distance(centre, candidates[i]), candidates[i]};
    }
    const auto end = by_distance.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::nth_element(by_distance, end - 1);
    std::uint64_t sum = 0;
    for (auto near = by_distance.begin(); near != end; ++near) sum += near->first;
    if (!tightest.empty() && sum >= least) continue;
    least = sum;
    tightest.clear();
    for (auto near = by_distance.begin(); near != end; ++near) tightest.push_back(near->second);
  }
  std::ranges::sort(tightest);
  return tightest;
}

std::vector<Slot> spread(const std::vector<Slot>& slots) {
  constexpr std::uint64_t most_distances = 1'000'000;
  constexpr std::uint64_t most_centres = 32;
  const std::uint64_t centres =
      std::clamp<std::uint64_t>(most_distances / slots.size(), 1, most_centres);
  std::vector<Slot> some;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(centres, slots.size()); ++i) {
    some.push_back(slots[(2 * i + 1) * slots.size() / (2 * centres)]);
  }
  return some;
}

}  // namespace

std::vector<Slot> close_slots(const Machine& machine, Objective objective, std::uint64_t count,
                              std::vector<Slot> given) {
  constexpr std::uint64_t most_candidates = 100'000;
  const SlotSet& allowed = machine.allowed();
  if (allowed.size() < 2 * count || count == 0) return allowed.to_vector();
  const NetworkMachine* network = machine.as_network();
  const GridNetwork* grid = network == nullptr ? nullptr : network->network().as_grid();
  if (grid != nullptr && given.empty() && allowed.size() == machine.slots()) {
    return corner_box(*network, *grid, count);
  }
  std::vector<Slot> candidates;
  const std::uint64_t looked_at = std::min(allowed.size(), std::max(most_candidates, 4 * count));
  candidates.reserve(looked_at);
  for (const SlotSet::Interval& interval : allowed.intervals()) {
    for (std::uint64_t s = interval.first.value; s <= interval.last.value; ++s) {
      if (candidates.size() == looked_at) break;
      candidates.emplace_back(static_cast<std::uint32_t>(s));
    }
  }
  const std::vector<Slot> centres = given.empty() ? spread(candidates) : std::move(given);
  return with_distance(machine, objective, [&](const auto& distance) {
    return tightest_ball(candidates, count, centres, distance);
  });
}

}  // namespace kith::multilevel
