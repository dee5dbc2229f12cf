// A box of places, some of which have no rank.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/grid_detection/axes.hpp"
#include "graph/grid_detection/distance_axes.hpp"
#include "graph/grid_detection/lattice_growth.hpp"

namespace kith {

using Periods = std::array<int, max_grid_dimensions>;  // 0: no ring

/// Where a growth begins is known about only: so many layers may be grown beyond an end.
inline constexpr int growth_slack = 2;

/// One rank on each place at most. Holds a reference to the lists.
class GappedBox {
 public:
  static constexpr std::uint32_t nobody = UINT32_MAX;

  /// Around the places, except a few ranks whose places are doubtful; of two that fall onto
  /// one place of a ring the one that fits better has it. Nothing where the box would be far larger
  /// than the ranks that it holds.
  static std::optional<GappedBox> around(const NeighbourLists& lists, const LatticePlaces& places,
                                         const Periods& periods);
  /// The same without thin layers outside, if what is left holds all ranks.
  static std::optional<GappedBox> trimmed(const NeighbourLists& lists, const LatticePlaces& places,
                                          const Periods& periods);
  /// With as many places as ranks, its extents as near as can be to those of what was grown without
  /// its outermost layers; nothing where none are near.
  static std::optional<GappedBox> fitted(const NeighbourLists& lists, const LatticePlaces& places,
                                         const Periods& periods);
  /// As many places as ranks, of the proportions of the axes' lengths as far as the number of ranks
  /// can be divided so, or the `which`-th of those less near, from 0 on: the ranks grown into it,
  /// or cut along one axis after another. Nothing where there are not so many.
  static std::optional<GappedBox> full(const NeighbourLists& lists,
                                       const std::vector<DistanceAxis>& axes, std::size_t which,
                                       const StopCheck& stop);

  /// Whoever has no place goes next to its neighbours, those first that have many, or where room
  /// is.
  void place_the_rest();
  /// The ranks grown once more into the same box, from where their pairs pull them: see
  /// regrown_box.cpp.
  std::optional<GappedBox> regrown(const StopCheck& stop) const;
  /// Exchanges places, also with empty ones, while that joins more neighbours.
  void polish(const StopCheck& stop);

  /// Longest dimension first.
  GridCandidate candidate() const;

 private:
  GappedBox(const NeighbourLists& lists, unsigned dimensions)
      : lists_(&lists), dimensions_(dimensions), place_of_(lists.ranks(), nobody) {}

  /// False where it would be too large.
  bool set_extents(const std::vector<std::uint32_t>& extents, const Periods& periods);
  /// Of what was grown in the frame, the window as large as it that has the most ranks.
  static std::optional<GappedBox> in_window(const NeighbourLists& lists,
                                            const LatticePlaces& places, const Periods& periods,
                                            const LatticeFrame& frame);
  static std::optional<GappedBox> between(const NeighbourLists& lists, const LatticePlaces& places,
                                          const Periods& periods, const LatticePoint& lowest,
                                          const LatticePoint& highest);

  /// By rank and dimension: where to grow it again, half way from where it was to be grown before.
  std::vector<double> prior(const StopCheck& stop) const;
  std::uint32_t number(const LatticePoint& at) const;
  LatticePoint point(std::uint32_t number) const;
  void put(std::uint32_t rank, std::uint32_t place) {
    place_of_[rank] = place;
    rank_at_[place] = rank;
  }
  template <class Visit>
  void for_each_beside(std::uint32_t place, Visit visit) const;
  bool are_beside(std::uint32_t a, std::uint32_t b) const;
  int fit(std::uint32_t rank, std::uint32_t place) const;
  void claim(std::uint32_t rank, std::uint32_t place);
  void place_beside(std::uint32_t rank, int least);
  void place_near(std::uint32_t rank);
  void lengthen();
  /// Neighbours of `rank` beside `place`, `other` being on `from`.
  int joined(std::uint32_t rank, std::uint32_t place, std::uint32_t other,
             std::uint32_t from) const;
  bool improve(std::uint32_t rank);

  const NeighbourLists* lists_;
  unsigned dimensions_;
  std::vector<std::uint32_t> extents_;
  Periods periods_{};
  std::vector<std::uint32_t> place_of_;  ///< by rank
  std::vector<std::uint32_t> rank_at_;   ///< by place
  std::vector<double> grown_from_;       ///< the prior() of the box before; empty in the first one
};

}  // namespace kith
