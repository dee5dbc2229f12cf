// Which links a message takes, each with a number of its own: what max_link_load() counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "objective/network_time.hpp"

namespace kith::bottleneck {

/// A link's number: where it is of a kind (a level of a tree, a dimension of a grid), one direction
/// of two at an object of that kind.
constexpr unsigned kind_shift = 33;
constexpr std::uint64_t link_number(std::uint64_t kind, std::uint64_t object, bool second) {
  return kind << kind_shift | object << 1 | (second ? 1 : 0);
}
constexpr std::uint64_t kind_of_link(std::uint64_t link) {
  return link >> kind_shift;
}
/// Without its kind.
constexpr std::uint64_t number_in_kind(std::uint64_t link) {
  return link & ((std::uint64_t{1} << kind_shift) - 1);
}

/// By kind: how many objects have two links of it.
using LinkObjects = std::vector<std::uint64_t>;

/// Loads of links of one kind are compared by load x scale.
using LinkScales = std::vector<std::uint64_t>;

/// Links of unequal widths: by width's denominator / numerator.
inline LinkScales width_scales(const TreeMachine& tree) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  LinkScales scales(tree.depth() + 1, 1);
  std::uint64_t common = 1;
  for (unsigned l = 1; l <= tree.depth(); ++l) {
    common = std::min(most, std::lcm(common, std::min(most, tree.link_width(l).numerator)));
  }
  for (unsigned l = 1; l <= tree.depth(); ++l) {
    const LinkWidth width = tree.link_width(l);
    scales[l] = std::max<std::uint64_t>(1, common * width.denominator / width.numerator);
  }
  return scales;
}

/// By the time that they take for a byte: kinds as TreeRoutes and GridRoutes number them, `others`
/// before those of the tree.
inline LinkScales time_scales(const Machine& machine, std::size_t others) {
  const LinkTimes times(machine);
  LinkScales scales(others, times.of_network());
  const NetworkMachine* network = machine.as_network();
  const TreeMachine* tree = network != nullptr ? network->node_tree() : machine.as_tree();
  for (unsigned l = 0; tree != nullptr && l <= tree->depth(); ++l) scales.push_back(times.above(l));
  return scales;
}

/// On a tree: up from one slot, down to the other. Kind l: above objects of depth l.
class TreeRoutes {
 public:
  /// `scales`: by kind.
  TreeRoutes(const TreeMachine& tree, LinkScales scales)
      : tree_(&tree), scale_(std::move(scales)) {}

  template <class Visit>
  void for_each_link(Slot from, Slot to, Visit&& visit) const {
    const unsigned meeting = tree_->meeting(from, to);
    std::uint64_t a = tree_->leaf_of_slot(from);
    std::uint64_t b = tree_->leaf_of_slot(to);
    for (unsigned l = tree_->depth(); l > meeting; --l) {
      visit(link_number(l, a, false));
      visit(link_number(l, b, true));
      if (l == meeting + 1) break;
      a = tree_->parent(l, a);
      b = tree_->parent(l, b);
    }
  }

  /// Of one end of the routes that a rank takes: what it sends and receives through the links above
  /// objects of a depth.
  struct Ends {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
  };

  /// What changes on which link where a rank goes from a slot to another one: visit(link, change
  /// modulo 2^64), only where routes differ, a link maybe several times. `partners(f)` calls
  /// f(slot, what the rank sends there, what it receives) for each partner. `scratch`: any.
  template <class Partners, class Visit>
  void for_each_difference(Slot from, Slot to, Partners&& partners, std::vector<Ends>& scratch,
                           Visit&& visit) const {
    const unsigned depth = tree_->depth();
    scratch.assign(2 * (depth + 1), {});
    Ends* const before_at = scratch.data();  // by the level below which a route goes through links
    Ends* const after_at = before_at + depth + 1;
    partners([&](Slot there, Weight sent, Weight received) {
      const unsigned before = tree_->meeting(from, there);
      const unsigned after = tree_->meeting(to, there);
      before_at[before].sent += sent;
      before_at[before].received += received;
      after_at[after].sent += sent;
      after_at[after].received += received;
      if (before < after) change_above(there, before, after, -received, -sent, visit);
      if (after < before) change_above(there, after, before, received, sent, visit);
    });
    change_ends(from, to, before_at, after_at, visit);
  }

  LinkObjects objects() const {
    LinkObjects objects;
    for (unsigned l = 0; l <= tree_->depth(); ++l) objects.push_back(tree_->objects(l));
    return objects;
  }
  std::uint64_t scale(std::uint64_t link) const { return scale_[kind_of_link(link)]; }
  bool is_slot_link(std::uint64_t link) const { return kind_of_link(link) == tree_->depth(); }

 private:
  /// Links above a slot's objects of depths beyond `upper`, up to `lower`.
  template <class Visit>
  void change_above(Slot slot, unsigned upper, unsigned lower, std::uint64_t up, std::uint64_t down,
                    Visit&& visit) const {
    std::uint64_t object = tree_->ancestor(tree_->leaf_of_slot(slot), lower);
    for (unsigned l = lower; l > upper; --l) {
      visit(link_number(l, object, false), up);
      visit(link_number(l, object, true), down);
      if (l > upper + 1) object = tree_->parent(l, object);
    }
  }

  /// Links above the two slots: where they meet, what was sent and is sent is the same.
  template <class Visit>
  void change_ends(Slot from, Slot to, const Ends* before_at, const Ends* after_at,
                   Visit&& visit) const {
    const unsigned meeting = tree_->meeting(from, to);
    Ends before;
    Ends after;
    for (unsigned l = 0; l <= meeting && l < tree_->depth(); ++l) {
      add(before_at[l], before);
      add(after_at[l], after);
    }
    for (unsigned l = meeting + 1; l <= tree_->depth(); ++l) {
      const std::uint64_t a = tree_->ancestor(tree_->leaf_of_slot(from), l);
      const std::uint64_t b = tree_->ancestor(tree_->leaf_of_slot(to), l);
      visit(link_number(l, a, false), -before.sent);
      visit(link_number(l, a, true), -before.received);
      visit(link_number(l, b, false), after.sent);
      visit(link_number(l, b, true), after.received);
      add(before_at[l], before);
      add(after_at[l], after);
    }
  }

  static void add(const Ends& more, Ends& sums) {
    sums.sent += more.sent;
    sums.received += more.received;
  }

  const TreeMachine* tree_;
  LinkScales scale_;
};

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
        periodic_(machine.network().as_grid()->periodic()) {
    std::uint32_t stride = machine.network().nodes();
    for (const std::uint32_t extent : machine.network().as_grid()->extents()) {
      stride /= extent;
      dimensions_.push_back({extent, stride});
    }
  }

  template <class Visit>
  void for_each_link(Slot from, Slot to, Visit&& visit) const {
    const std::uint32_t a = from.value / slots_per_node_;
    const std::uint32_t b = to.value / slots_per_node_;
    if (tree_ != nullptr)
      climb(a, from.value % slots_per_node_, b, to.value % slots_per_node_, visit);
    std::uint32_t here = a;
    for (std::size_t d = 0; here != b && d < dimensions_.size(); ++d) {
      here = walk(d, here, b, visit);
    }
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
    std::uint32_t extent;
    std::uint32_t stride;
  };

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
  std::uint32_t walk(std::size_t d, std::uint32_t here, std::uint32_t to, Visit& visit) const {
    const Dimension dimension = dimensions_[d];
    std::uint32_t at = here / dimension.stride % dimension.extent;
    const std::uint32_t end = to / dimension.stride % dimension.extent;
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
  std::vector<Dimension> dimensions_;
};

/// Where routes are not known: from a node to the network and from there to the other. One kind.
class NodeRoutes {
 public:
  explicit NodeRoutes(const Machine& machine)
      : machine_(&machine),
        scale_(LinkTimes(machine).of_network()),
        has_one_slot_(machine.nodes() == machine.slots()) {}

  template <class Visit>
  void for_each_link(Slot from, Slot to, Visit&& visit) const {
    const std::uint64_t a = machine_->node_of(from);
    const std::uint64_t b = machine_->node_of(to);
    if (a == b) return;
    visit(link_number(0, a, false));
    visit(link_number(0, b, true));
  }

  LinkObjects objects() const { return {machine_->nodes()}; }
  std::uint64_t scale(std::uint64_t) const { return scale_; }
  bool is_slot_link(std::uint64_t) const { return has_one_slot_; }

 private:
  const Machine* machine_;
  std::uint64_t scale_;
  bool has_one_slot_;
};

}  // namespace kith::bottleneck
