// Which links of a torus, mesh or hypercube a message takes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "mapping/refine/bottleneck/routes.hpp"
#include "objective/distance.hpp"

namespace kith::bottleneck {

/// On a grid of nodes: dimension by dimension, the first one first, around a ring by the shorter
/// route, up where both are equally long; with a tree in each node up to its root and from there to
/// the network. Kind d: along dimension d, links known by the node where they begin; beyond those
/// the levels of the nodes' trees, the root's link to the network included.
class GridRoutes {
 public:
  /// `scales`: by kind; empty: all the same.
  GridRoutes(const NetworkMachine& machine, LinkScales scales)
      : tree_(machine.node_tree()),
        scale_(std::move(scales)),
        slots_per_node_(machine.slots_per_node()),
        nodes_(machine.network().nodes()),
        periodic_(machine.network().as_grid()->periodic()),
        with_node_(nodes_) {
    if (slots_per_node_ > 1) by_slots_ = FastDivisor(slots_per_node_);
    std::uint32_t stride = machine.network().nodes();
    for (const std::uint32_t extent : machine.network().as_grid()->extents()) {
      stride /= extent;
      dimensions_.emplace_back(extent, stride);
    }
  }

  template <class Visit>
  void for_each_link(Slot from, Slot to, Visit&& visit) const {
    const std::uint32_t a = node_of(from);
    const std::uint32_t b = node_of(to);
    if (tree_ != nullptr) {
      climb(a, from.value - a * slots_per_node_, b, to.value - b * slots_per_node_, visit);
    }
    walk(a, b, visit);
  }

  /// As TreeDifferences::find().
  template <class Partners, class Visit>
  void for_each_difference(Slot from, Slot to, Partners&& partners, Visit&& visit) {
    if (tree_ != nullptr) differences_.find(Levels{*this}, from, to, partners, visit);
    const std::uint32_t a = node_of(from);
    const std::uint32_t b = node_of(to);
    if (a == b) return;
    partners([&](Slot there, Weight sent, Weight received) {
      const std::uint32_t node = node_of(there);
      Ends& sums = with_node_[node];
      if (sums.sent == 0 && sums.received == 0) met_.push_back(node);
      sums.add({sent, received});
    });
    for (const std::uint32_t node : met_) {
      const Ends sums = std::exchange(with_node_[node], {});
      change_walk(a, node, -sums.sent, visit);
      change_walk(node, a, -sums.received, visit);
      change_walk(b, node, sums.sent, visit);
      change_walk(node, b, sums.received, visit);
    }
    met_.clear();
  }

  LinkObjects objects() const {
    LinkObjects objects(dimensions_.size(), nodes_);
    for (unsigned l = 0; tree_ != nullptr && l <= tree_->depth(); ++l) {
      objects.push_back(nodes_ * tree_->objects(l));
    }
    return objects;
  }
  std::uint64_t scale(std::uint64_t link) const {
    return scale_.empty() ? 1 : scale_[kind_of_link(link)];
  }
  bool is_slot_link(std::uint64_t link) const {
    return tree_ != nullptr && kind_of_link(link) == dimensions_.size() + tree_->depth();
  }

 private:
  struct Dimension {
    Dimension(std::uint32_t of_extent, std::uint32_t of_stride)
        : extent(of_extent), stride(of_stride) {
      if (extent > 1) by_extent = FastDivisor(extent);
      if (stride > 1) by_stride = FastDivisor(stride);
    }

    std::uint32_t coordinate(std::uint32_t node) const {
      if (extent == 1) return 0;
      const std::uint32_t lines = stride > 1 ? by_stride.quotient(node) : node;
      return lines - by_extent.quotient(lines) * extent;
    }

    std::uint32_t extent;
    std::uint32_t stride;
    FastDivisor by_extent;
    FastDivisor by_stride;
  };

  /// Level 0: the network; 1: the links of the nodes to it; further those of the nodes' trees.
  struct Levels {
    const GridRoutes& routes;

    unsigned depth() const { return routes.tree_->depth() + 1; }
    unsigned meeting(Slot a, Slot b) const {
      const std::uint32_t node = routes.node_of(a);
      if (node != routes.node_of(b)) return 0;
      const std::uint32_t first = node * routes.slots_per_node_;
      return 1 + routes.tree_->meeting(Slot(a.value - first), Slot(b.value - first));
    }
    std::uint64_t object(Slot slot, unsigned level) const {
      const TreeMachine& tree = *routes.tree_;
      const std::uint32_t node = routes.node_of(slot);
      const std::uint32_t leaf = slot.value - node * routes.slots_per_node_;
      return std::uint64_t{node} * tree.objects(level - 1) + tree.ancestor(leaf, level - 1);
    }
    std::uint64_t parent(unsigned level, std::uint64_t object) const {
      const TreeMachine& tree = *routes.tree_;
      const std::uint64_t here = tree.objects(level - 1);
      return object / here * tree.objects(level - 2) + tree.parent(level - 1, object % here);
    }
    std::uint64_t link(unsigned level, std::uint64_t object, bool down) const {
      return link_number(routes.dimensions_.size() + level - 1, object, down);
    }
  };

  std::uint32_t node_of(Slot slot) const {
    return slots_per_node_ > 1 ? by_slots_.quotient(slot.value) : slot.value;
  }

  /// The links of the nodes' trees.
  template <class Visit>
  void climb(std::uint64_t node_a, std::uint32_t slot_a, std::uint64_t node_b, std::uint32_t slot_b,
             Visit& visit) const {
    const bool one_node = node_a == node_b;
    const unsigned top = one_node ? tree_->meeting(Slot(slot_a), Slot(slot_b)) + 1 : 0;
    std::uint64_t a = slot_a;
    std::uint64_t b = slot_b;
    for (unsigned l = tree_->depth() + 1; l-- > top;) {
      const std::uint64_t kind = dimensions_.size() + l;
      visit(link_number(kind, node_a * tree_->objects(l) + a, false));
      visit(link_number(kind, node_b * tree_->objects(l) + b, true));
      if (l == top) break;
      a = tree_->parent(l, a);
      b = tree_->parent(l, b);
    }
  }

  template <class Visit>
  void change_walk(std::uint32_t from, std::uint32_t to, std::uint64_t more, Visit& visit) const {
    if (more == 0) return;
    walk(from, to, [&](std::uint64_t link) { visit(link, more); });
  }

  template <class Visit>
  void walk(std::uint32_t here, std::uint32_t to, Visit&& visit) const {
    for (std::size_t d = 0; here != to && d < dimensions_.size(); ++d) {
      here = walk_along(d, here, to, visit);
    }
  }

  template <class Visit>
  std::uint32_t walk_along(std::size_t d, std::uint32_t here, std::uint32_t to,
                           Visit& visit) const {
    const Dimension& dimension = dimensions_[d];
    std::uint32_t at = dimension.coordinate(here);
    const std::uint32_t end = dimension.coordinate(to);
    if (at == end) return here;
    const std::uint32_t upwards = end > at ? end - at : end + (dimension.extent - at);
    const bool up = periodic_ ? upwards <= dimension.extent - upwards : end > at;
    const std::uint32_t once_around = (dimension.extent - 1) * dimension.stride;
    while (at != end) {
      visit(link_number(d, here, !up));
      if (up) {
        const bool wraps = ++at == dimension.extent;
        here = wraps ? here - once_around : here + dimension.stride;
        if (wraps) at = 0;
      } else {
        const bool wraps = at == 0;
        here = wraps ? here + once_around : here - dimension.stride;
        at = wraps ? dimension.extent - 1 : at - 1;
      }
    }
    return here;
  }

  const TreeMachine* tree_;
  LinkScales scale_;
  std::uint32_t slots_per_node_;
  std::uint64_t nodes_;
  bool periodic_;
  FastDivisor by_slots_;
  std::vector<Dimension> dimensions_;
  TreeDifferences<Levels> differences_;
  std::vector<Ends> with_node_;     // by node: messages of the rank that goes; none between calls
  std::vector<std::uint32_t> met_;  // where they are some
};

}  // namespace kith::bottleneck
