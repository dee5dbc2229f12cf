// A machine whose nodes hang on a network that is no tree: grids, dragonflies, any graph.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "kith/machine.hpp"

namespace kith {

class GridNetwork;

/// Nodes 0 .. nodes()-1 and the hops between them. Immutable; safe to share between threads.
class Network {
 public:
  virtual ~Network() = default;
  virtual std::string_view kind() const = 0;  ///< "torus", "dragonfly", ...
  std::uint32_t nodes() const { return nodes_; }
  /// Links on a shortest route; 0 on one node.
  virtual std::uint64_t hops(std::uint32_t a, std::uint32_t b) const = 0;
  /// Cost in units of 1/cost_scale(); equals hops() where the network has none.
  virtual std::uint64_t cost(std::uint32_t a, std::uint32_t b) const { return hops(a, b); }
  virtual bool has_costs() const { return false; }
  virtual std::uint64_t cost_scale() const { return 1; }
  /// Between the two nearest different nodes; of a single node any number.
  virtual std::uint64_t lowest_cost() const = 0;
  /// Replaces `out` by up to `most` other nodes that are near to `node`, for searches that try
  /// places around one; which ones is no promise. Unless overridden those numbered next to it.
  virtual void nearest(std::uint32_t node, std::size_t most, std::vector<std::uint32_t>& out) const;
  virtual const GridNetwork* as_grid() const { return nullptr; }

 protected:
  std::uint32_t nodes_ = 0;
};

/// A torus or mesh of any dimension, nodes row-major, last dimension fastest: the sum over the
/// dimensions of the distance of the coordinates, around the ring where it is periodic. O(dims).
class GridNetwork final : public Network {
 public:
  enum class Kind { torus, mesh, hypercube };
  /// Throws Error (internal) for no extent or one of 0, or more than 2^32 - 1 nodes. `extents` of a
  /// hypercube are 2 each.
  GridNetwork(Kind kind, std::vector<std::uint32_t> extents);

  std::string_view kind() const override;
  std::uint64_t hops(std::uint32_t a, std::uint32_t b) const override;
  std::uint64_t lowest_cost() const override { return 1; }
  const GridNetwork* as_grid() const override { return this; }
  /// Neighbours in the grid.
  void nearest(std::uint32_t node, std::size_t most,
               std::vector<std::uint32_t>& out) const override;

  std::span<const std::uint32_t> extents() const { return extents_; }
  bool periodic() const { return kind_ == Kind::torus; }
  /// Coordinates of a node, as many as extents().
  std::vector<std::uint32_t> coordinates(std::uint32_t node) const;
  /// The node at some coordinates.
  std::uint32_t node_at(std::span<const std::uint32_t> coordinates) const;

 private:
  Kind kind_;
  std::vector<std::uint32_t> extents_;
};

/// A dragonfly: groups of routers, each with so many nodes, numbered group by group, router by
/// router. The routers of a group are fully connected; each has ports() links to other groups, so
/// that port k of group i is that of its router k / ports(). One link joins any two groups. (Kim,
/// Dally, Scott, Abts: Technology-driven, highly-scalable dragonfly topology, ISCA 2008.)
class DragonflyNetwork final : public Network {
 public:
  /// Where port k of group i leads, k below groups - 1; further ports stay unused. palmtree: to
  /// group i - k - 1 modulo groups; absolute: to group k, or k + 1 from k = i on. (Camarero,
  /// Vallejo, Beivide: Topological Characterization of Hamming and Dragonfly Networks and Its
  /// Implications on Routing, ACM TACO 11(4), 2014.)
  enum class Arrangement { palmtree, absolute };

  /// Throws Error (internal) for a number that is 0 or more than 2^32 - 1 nodes.
  DragonflyNetwork(std::uint32_t groups, std::uint32_t routers, std::uint32_t nodes_per_router,
                   Arrangement arrangement);

  std::string_view kind() const override { return "dragonfly"; }
  /// On a shortest route, the link from node to router at each end included: 2 between nodes of one
  /// router, at most 5. O(ports()), mostly O(1).
  std::uint64_t hops(std::uint32_t a, std::uint32_t b) const override;
  std::uint64_t lowest_cost() const override;

  std::uint32_t groups() const { return groups_; }
  std::uint32_t routers() const { return routers_; }  ///< of a group
  std::uint32_t nodes_per_router() const { return nodes_per_router_; }
  /// Links to other groups of each router: (groups - 1) / routers, rounded up.
  std::uint32_t ports() const { return ports_; }
  Arrangement arrangement() const { return arrangement_; }

  /// The group at the other end of port `port` < groups - 1 of a group.
  std::uint32_t group_at(std::uint32_t group, std::uint32_t port) const;
  /// The port of a group that leads to another one: the inverse of group_at().
  std::uint32_t port_to(std::uint32_t group, std::uint32_t other) const;

 private:
  /// A router by its group and its number there.
  struct Router {
    std::uint32_t group;
    std::uint32_t number;
  };
  Router router_of(std::uint32_t node) const;
  /// Links between routers of two groups, 1 to 3.
  std::uint32_t between_groups(Router a, Router b) const;

  std::uint32_t groups_;
  std::uint32_t routers_;
  std::uint32_t nodes_per_router_;
  std::uint32_t ports_;
  Arrangement arrangement_;
};

/// A network with the same tree in each node, or with one slot in each. Slots of a node are
/// consecutive. Between nodes: the network's hops and the levels climbed at both ends; within one:
/// the tree's. Costs are the network's own, each level climbed adds 1 (in full units).
class NetworkMachine final : public Machine {
 public:
  /// `node_arities`, top down, empty: one slot a node. Throws Error (input) for more than 2^32 - 1
  /// slots. `node_names`: empty or one per node.
  NetworkMachine(std::shared_ptr<const Network> network, std::vector<std::uint32_t> node_arities,
                 std::string spec, std::vector<std::string> node_names = {});

  std::string_view kind() const override { return network_->kind(); }
  std::uint64_t hops(Slot a, Slot b) const override;
  std::uint64_t cost(Slot a, Slot b) const override;
  bool has_costs() const override { return network_->has_costs(); }
  std::uint64_t cost_scale() const override { return network_->cost_scale(); }
  std::uint64_t lowest_cost() const override;
  std::uint64_t nodes() const override { return network_->nodes(); }
  std::uint64_t node_of(Slot slot) const override { return slot.value / slots_per_node_; }
  const NetworkMachine* as_network() const override { return this; }
  /// Extents of the grid of nodes.
  std::vector<std::uint32_t> dims() const override;

  const Network& network() const { return *network_; }
  std::uint32_t slots_per_node() const { return slots_per_node_; }
  /// The tree in each node; null where a node is a slot.
  const TreeMachine* node_tree() const { return node_tree_.get(); }

 protected:
  std::unique_ptr<Machine> clone() const override;

 private:
  std::uint64_t climbed() const;  ///< hops from a slot to its node's network port, both ends

  std::shared_ptr<const Network> network_;
  std::shared_ptr<const TreeMachine> node_tree_;
  std::uint32_t slots_per_node_ = 1;
};

// Nodes whose distances are a table.

/// Any symmetric distances; whether they obey the triangle inequality is the user's business. Where
/// the scale is 1 they are hops, else costs, and hops are the costs rounded to whole numbers, at
/// least 1. Memory 4 bytes x nodes squared.
class MatrixNetwork final : public Network {
 public:
  /// `units`: the distances from node i to i + 1 .. nodes-1 for i = 0, 1, ..., in units of 1/scale,
  /// each above 0; `nodes` at least 1.
  MatrixNetwork(std::uint32_t nodes, std::vector<std::uint64_t> units, std::uint64_t scale);

  std::string_view kind() const override { return "matrix"; }
  std::uint64_t hops(std::uint32_t a, std::uint32_t b) const override;
  std::uint64_t cost(std::uint32_t a, std::uint32_t b) const override;
  bool has_costs() const override { return scale_ != 1; }
  std::uint64_t cost_scale() const override { return scale_; }
  std::uint64_t lowest_cost() const override { return lowest_; }
  /// O(nodes).
  void nearest(std::uint32_t node, std::size_t most,
               std::vector<std::uint32_t>& out) const override;

  /// Where the distance from node a to b > a is in `units`.
  static std::uint64_t place(std::uint64_t a, std::uint64_t b, std::uint64_t nodes) {
    return a * (2 * nodes - a - 1) / 2 + b - a - 1;
  }

 private:
  std::vector<std::uint64_t> units_;
  std::uint64_t scale_;
  std::uint64_t lowest_ = 1;
};

}  // namespace kith
