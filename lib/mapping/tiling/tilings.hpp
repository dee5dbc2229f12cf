// Mappings made by formula from a grid of ranks: on grids of nodes, on trees, on grids of other
// proportions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/structure.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/search/search.hpp"
#include "mapping/tiling/slicing.hpp"
#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {

struct GridTiling {
  Mapping mapping;
  std::vector<std::uint32_t> node_block;  ///< ranks along each dimension of what shares a node
  bool is_perfect = false;                ///< boxes that share a face are one hop apart
};

/// Each node takes a box of ranks; the grid of boxes is laid on the grid of nodes: its extents are
/// written as factors, one per dimension of the machine, and run to and fro from one dimension into
/// the next, so that neighbours stay neighbours where factors do not share a dimension. Of the ways
/// to do so the best is kept, by the hops of neighbouring boxes. Where the machine is larger than
/// the job, the factors need only fit and boxes at the ends may be partly empty. Nothing where some
/// slots are not allowed or the extents cannot be written so.
std::optional<GridTiling> tile_grid(const MapTask& problem, const NetworkMachine& machine,
                                    const TaskGrid& grid);

// Grids of ranks on trees: boxes where the tree's parts divide the grid, boxes with steps
// elsewhere.

/// How ranks that are fewer than the slots are spread over the objects of a level.
enum class Filling {
  packed,  ///< as many in each as it holds, the largest objects first
  even     ///< in as few objects, alike in each
};

/// Each object's ranks are cut into those of its children by planes, slabs first, then columns,
/// then blocks; of the likeliest ways the one that cuts the least traffic. Any machine; what
/// objects it has SlotTree says. `space` has the problem's ranks. The more edges the fewer ways are
/// tried: O(ranks x log + edges) each. Where the budget's time is up, the ranks of an object are
/// cut in the order in which they then are.
Mapping split_on_tree(const MapTask& problem, const RankSpace& space, Filling filling);

// Grids of ranks on symmetric trees: blocks of blocks.

struct TreeTiling {
  Mapping mapping;
  /// Ranks along each dimension of the blocks, one per level of the tree that has several children,
  /// bottom up: {{2, 4, 4}, {4, 4, 8}}; the whole grid is left out.
  std::vector<std::vector<std::uint32_t>> blocks;
};

/// The best division of the grid into equal boxes for the objects of each level, boxes of boxes:
/// found by dynamic programming over the extents of the boxes, whose inner traffic saves the
/// difference between the costs of their level and the next one up. Nothing where the slots in use
/// form no symmetric tree with as many places as ranks, or the extents cannot be divided so.
/// O(levels x divisors^(2 x dimensions)).
std::optional<TreeTiling> tile_tree(const MapTask& problem, const TreeMachine& tree,
                                    const TaskGrid& grid);

// A grid of ranks on a grid of nodes whose extents do not match it: the nodes are seen as another
// grid, of the job's proportions.

/// A dimension is cut into strips, and these are joined to and fro along another one: 32x32 nodes
/// become 96 x 10 or 11. Of the grids that one or two such steps make, those nearest to the job's
/// proportions are cut in two together with it, again and again (as GEOM does); the best mapping
/// that this gives. Any allowed slots; where there are more than the job needs those of a corner.
/// Nothing for grids of more than four dimensions, nor for a few ranks on a large machine. O(tries
/// x ranks log ranks).
std::optional<Mapping> map_unfolded(const MapTask& problem, const NetworkMachine& machine,
                                    const TaskGrid& grid);

/// The grid as it is, along the dimensions of the machine in each order, reflected and shifted, so
/// that most ranks lie on allowed slots: a grid with gaps on a machine that has the same ones.
/// Whose place is not allowed goes near to its partners. Nothing where a node takes several ranks
/// or more than a quarter of the ranks would have no place.
std::optional<Mapping> lay_over(const MapTask& problem, const NetworkMachine& machine,
                                const GridStructure& grid);

/// Of grids that hang together by channels one rank wide, or not at all: each as it is, the largest
/// first, where it leaves the least room beside it; all other ranks near to their partners. Nothing
/// where a node takes several ranks, all slots may be used, where there is one part only, or where
/// less than half of the ranks lie in grids that find their place.
std::optional<Mapping> lay_basins(const MapTask& problem, const NetworkMachine& machine);

// What the places of ranks in space are good for: every start made by formula.

/// What the ranks' places were taken from.
struct Pattern {
  std::optional<GridStructure> grid;  ///< what find_grid_structure() says of the traffic
  /// "3D 7-point stencil 64x64x32, non-periodic"; empty: no places are known, or none to boast of.
  std::string text;
};

/// Offers `best` the tilings and splittings of the grid that the traffic has, if it is one, else of
/// the coordinates that the user gave, if they have at most most_dimensions. How each
/// was made, with the tiling's blocks, is offered with it.
Pattern offer_tilings(const MapTask& problem, Incumbent& best);

// How a grid of boxes lies on a grid of nodes.

/// One factor of a task dimension: so many places along a machine dimension.
struct Digit {
  std::uint32_t extent = 1;
  std::uint32_t task_dimension = 0;
  std::uint32_t machine_dimension = 0;
  std::uint32_t stride = 1;  ///< nodes along the machine dimension from one place to the next
  /// The digit that runs slower along the same machine dimension, by index; this one runs to and
  /// fro with it, as in a Gray code. Its own index: none does.
  std::uint32_t above = 0;
};

struct Folding {
  std::vector<Digit> digits;                ///< of each task dimension the fastest first
  std::vector<std::uint32_t> node_strides;  ///< of each machine dimension in node numbers
  double cost = 0;                          ///< weight x hops of neighbouring boxes
  bool is_perfect = false;                  ///< neighbouring boxes are one hop apart

  /// Runs to and fro: where one digit carries into the next, it turns round instead of jumping.
  std::uint32_t node_of(const Place& box) const;
};

/// The cheapest of the ways that are tried; nothing where the extents cannot be written as factors
/// of the machine's. Where there are fewer boxes than nodes, factors need only fit. `boxes` has one
/// displacement per dimension, a single step. Compared on at most some 20 thousand boxes, and in so
/// many tries that some 10^6 hops are looked at.
std::optional<Folding> best_folding(const TaskGrid& boxes, const GridNetwork& network);

}  // namespace kith::tiling
