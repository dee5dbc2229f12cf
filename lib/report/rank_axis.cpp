#include "report/rank_axis.hpp"

#include <algorithm>
#include <numeric>

#include "kith/tree_machine.hpp"

namespace kith {

bool RankAxis::is_identity() const {
  for (std::uint32_t p = 0; p < ranks(); ++p) {
    if (rank_at[p].value != p) return false;
  }
  return true;
}

RankAxis axis_by_rank(std::uint32_t ranks) {
  RankAxis axis;
  axis.position_of.resize(ranks);
  std::iota(axis.position_of.begin(), axis.position_of.end(), 0U);
  for (std::uint32_t r = 0; r < ranks; ++r) axis.rank_at.emplace_back(r);
  return axis;
}

std::uint32_t place_of(const Machine& machine, Slot slot) {
  const TreeMachine* const tree = machine.as_tree();
  return tree != nullptr ? tree->leaf_of_slot(slot) : slot.value;
}

RankAxis axis_by_place(const Mapping& mapping, const Machine& machine) {
  const std::uint32_t ranks = mapping.ranks();
  std::vector<std::uint32_t> place(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) place[r] = place_of(machine, mapping[Rank(r)]);
  RankAxis axis = axis_by_rank(ranks);
  std::ranges::stable_sort(axis.rank_at, {}, [&](Rank rank) { return place[rank.value]; });
  for (std::uint32_t p = 0; p < ranks; ++p) axis.position_of[axis.rank_at[p].value] = p;
  return axis;
}

}  // namespace kith
