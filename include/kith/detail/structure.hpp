// Grids hidden in traffic: which ranks are neighbours in the application's own decomposition.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kith/detail/coordinates.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// A regular grid of all ranks. Plain data.
struct GridStructure {
  /// 1 to 6, each at least 2; their product is ranks + holes.
  std::vector<std::uint32_t> extents;
  std::vector<bool> periodic;          ///< one per extent; an extent of 2 is never called periodic
  /// Who talks, the rank itself counted: "7-point" (faces), "19-point" (faces and edges),
  /// "27-point" (corners too), "13-point" (faces, and two steps along an axis); "9-point star"
  /// where two dimensions make the number ambiguous.
  std::string stencil;
  RankCoordinates coordinates;  ///< whole numbers, 0 .. extent - 1
  double explained = 0;         ///< share of the weight that the stencil's pairs carry, 0 .. 1
  std::uint64_t holes = 0;      ///< places of the box that have no rank: land in an ocean model
  double missing_pairs = 0;     ///< share of the stencil's pairs that do not talk, 0 .. 1

  /// "3D 7-point stencil 64x64x32, non-periodic"; "2D 5-point stencil 32x32, non-periodic, 1 rank
  /// missing".
  std::string description() const;
};

/// The grid whose stencil explains the traffic: at least 4 in 5 of all weight is between pairs of
/// the stencil, at least 9 in 10 of those pairs talk, and few others (1 in 20) send as much; two
/// ranks that talk are a row of two. Whatever order the ranks have; in row-major order the extents
/// are those of MPI_Cart_create, otherwise the longest comes first. Nothing where there is no such
/// grid, where all pairs of three ranks and more talk alike, and for twisted tori, whose ends are
/// joined askew. Checked before it is returned: the answer follows from the whole graph, not from
/// how it was found. `is_over` is asked every few thousand ranks on the calling thread: where it
/// says true, the search ends and nothing is returned. Otherwise deterministic.
std::optional<GridStructure> find_grid_structure(const TrafficGraph& graph,
                                                 const std::function<bool()>& is_over = {});

/// The same for faces of a grid of 2 to 6 dimensions where ranks are missing (the box has holes) or
/// pairs (up to 4 in 10). Ranks are in any order; of what cannot be known (which way a strait one
/// rank wide turns, where a part lies that talks with no other) something is assumed. At least 3 in
/// 5 of all weight is explained.
std::optional<GridStructure> find_gapped_grid(const TrafficGraph& graph,
                                              const std::function<bool()>& is_over = {});

/// The better of both: a grid with gaps where the complete one leaves more unexplained.
std::optional<GridStructure> find_any_grid(const TrafficGraph& graph,
                                           const std::function<bool()>& is_over = {});

/// Would a person who sees the traffic call it this grid? Its pairs explain the traffic (nearly all
/// bytes, and no pair of like weight that just misses the stencil), the traffic explains its pairs
/// (weights along each direction are alike, no direction is next to nothing beside the others), and
/// not all that repeats is pairs: an extent of 2 counts where it talks as much as the other
/// directions do. What is found but not named may still be of use as a proposal. O(edges).
bool is_worth_naming(const TrafficGraph& graph, const GridStructure& structure);

/// The same grid, with a stencil of faces alone where corners and longer steps carry no more than
/// any two ranks send each other (a small all-to-all beside a 5-point halo is no 9-point one).
/// O(edges).
GridStructure with_plain_stencil(const TrafficGraph& graph, GridStructure structure);

}  // namespace kith
