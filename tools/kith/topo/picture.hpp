// A machine as text that a person understands: 80 columns where names allow it, plain ASCII unless
// it is drawn for a terminal that shows more.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/machine.hpp"
#include "kith/objective.hpp"
#include "output.hpp"

namespace kith::tools {

/// The strokes of a picture.
struct Strokes {
  std::string_view branch = "+- ";       ///< to a child that has a next one
  std::string_view last_branch = "`- ";  ///< to the last child
  std::string_view passing = "|  ";      ///< beside the children of a child that has a next one
  std::string_view across = "-";         ///< a link in a row
  std::string_view along = "|";          ///< a link in a column
};
/// Lines where a terminal shows them.
Strokes strokes_for(const Terminal& terminal);

/// The whole picture, with colours where `terminal` has them.
std::string machine_picture(const Machine& machine, const Terminal& terminal);

/// The levels as a tree with multiplicities; unequal children are told apart by their slots.
/// Time O(objects), O(levels) for symmetric trees. `has_nodes`: say which level are the nodes where
/// its name does not.
std::string tree_picture(const TreeMachine& tree, bool has_nodes, const Terminal& terminal);

/// Extents, distances and a drawing, of the first layer where there are more than two dimensions.
/// Nodes without a slot that may be used are dots.
std::string grid_picture(const NetworkMachine& machine, const GridNetwork& grid,
                         const Terminal& terminal);

/// Any other network: how far its nodes are from each other, and the table where it is small.
std::string network_picture(const NetworkMachine& machine);

std::string dragonfly_picture(const DragonflyNetwork& network);

/// How far two nodes are apart in hops, and in cost where the network has costs.
std::string distances_text(const Network& network);

/// The names of the nodes, below their switches; empty where they have none.
std::string names_picture(const Machine& machine);

/// Which slots may be used; empty where all are.
std::string allowed_picture(const Machine& machine);

/// "1 node", "7 nodes".
std::string counted(std::uint64_t count, std::string_view what);

/// At most `most` bytes of UTF-8; where there were more, "..." ends them.
std::string cut_to(std::string text, std::size_t most);

/// Names as a hostlist, cut to `width` characters.
std::string name_list(std::span<const std::string> names, std::size_t width);

/// Calls `visit` with all pairs of nodes of a small network and returns true; else with many random
/// ones, the same each time, and returns false.
bool visit_node_pairs(const Network& network,
                      const std::function<void(std::uint32_t, std::uint32_t)>& visit);

/// Of the pairs that were added.
class Spread {
 public:
  /// `scale`: distances are in units of 1/scale.
  explicit Spread(std::uint64_t scale = 1) : scale_(scale) {}
  void add(std::uint64_t distance);

  std::uint64_t pairs() const { return pairs_; }
  // Preconditions: pairs() > 0.
  Quantity least() const { return {least_, scale_}; }
  Quantity most() const { return {most_, scale_}; }
  double average() const;

 private:
  std::uint64_t scale_;
  std::uint64_t least_ = UINT64_MAX;
  std::uint64_t most_ = 0;
  double sum_ = 0;
  std::uint64_t pairs_ = 0;
};

/// Without pairs where there is a single node. `exact`: of all pairs.
struct NodeDistances {
  Spread hops;
  Spread costs;  ///< equal to hops where the network has none
  bool exact = true;
};
NodeDistances node_distances(const Network& network);

}  // namespace kith::tools
