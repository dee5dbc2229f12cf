// Traffic on a grid of ranks, cut by the objects of a machine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "kith/detail/structure.hpp"
#include "kith/traffic.hpp"
#include "objective/bounds/isoperimetry.hpp"
#include "objective/bounds/shells.hpp"
#include "objective/wide.hpp"

namespace kith::bounds {

/// A graph as steps between grid points. What the structure does not explain may be anything: all
/// bounds hold for the graph as it is.
class GridPattern {
 public:
  /// Nothing where coordinates are not those of a grid with one rank on each point. O(edges log
  /// edges).
  static std::optional<GridPattern> from(const TrafficGraph& graph, const GridStructure& structure);

  /// At least this weight is between ranks on different objects; a shell with groups.
  Wide cut(const Shell& shell) const;

 private:
  /// Pairs that are the same steps apart.
  struct Direction {
    unsigned kind = 0;  ///< see kind_of()
    std::vector<Weight> heaviest_first;
  };
  /// What a direction of a kind counts at least for; above it is left out.
  using Units = std::map<unsigned, std::uint64_t>;

  Units units(double share_kept) const;
  GridStencil stencil(const Units& units, Weight divisor) const;
  Wide least_surface(const GridStencil& stencil, const Shell& shell) const;
  Wide cut_with(const Shell& shell, double share_kept) const;
  double guess_kept(const Shell& shell) const;

  GridStencil grid_;  ///< without weights
  std::uint32_t ranks_ = 0;
  std::vector<Direction> directions_;
  bool all_alike_ = true;  ///< the weights of each direction
};

}  // namespace kith::bounds
