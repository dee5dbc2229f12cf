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

/// What a rank sends to and receives from those that it meets at one depth.
struct Ends {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;

  void add(const Ends& more) {
    sent += more.sent;
    received += more.received;
  }
};

/// What changes on which link of a tree where a rank goes from one slot to another. `Tree` has
/// depth(), meeting(slot, slot), object(slot, level), parent(level, object) and link(level, object,
/// down), levels counted from 0 at the root, which has no link.
template <class Tree>
class TreeDifferences {
 public:
  /// visit(link, change modulo 2^64), only where routes differ, a link maybe several times.
  /// `partners(f)` calls f(slot, what the rank sends there, what it receives) for each partner.
  template <class Partners, class Visit>
  void find(const Tree& tree, Slot from, Slot to, Partners&& partners, Visit&& visit) {
    const unsigned depth = tree.depth();
    ends_.assign(2 * (std::size_t{depth} + 1), {});
    Ends* const before_at = ends_.data();  // by the level below which a route goes through links
    Ends* const after_at = before_at + depth + 1;
    partners([&](Slot there, Weight sent, Weight received) {
      const unsigned before = tree.meeting(from, there);
      const unsigned after = tree.meeting(to, there);
      before_at[before].add({sent, received});
      after_at[after].add({sent, received});
      if (before < after) change_above(tree, there, before, after, {-sent, -received}, visit);
      if (after < before) change_above(tree, there, after, before, {sent, received}, visit);
    });
    change_ends(tree, from, to, before_at, after_at, visit);
  }

 private:
  /// Links above a partner's objects of depths beyond `upper`, up to `lower`. `more`: what the rank
  /// sends and receives.
  template <class Visit>
  static void change_above(const Tree& tree, Slot slot, unsigned upper, unsigned lower, Ends more,
                           Visit& visit) {
    std::uint64_t object = tree.object(slot, lower);
    for (unsigned l = lower; l > upper; --l) {
      visit(tree.link(l, object, false), more.received);
      visit(tree.link(l, object, true), more.sent);
      if (l > upper + 1) object = tree.parent(l, object);
    }
  }

  /// Links above the two slots: where they meet, what was sent and is sent is the same.
  template <class Visit>
  static void change_ends(const Tree& tree, Slot from, Slot to, const Ends* before_at,
                          const Ends* after_at, Visit& visit) {
    const unsigned meeting = tree.meeting(from, to);
    Ends before;
    Ends after;
    for (unsigned l = 0; l <= meeting && l < tree.depth(); ++l) {
      before.add(before_at[l]);
      after.add(after_at[l]);
    }
    for (unsigned l = meeting + 1; l <= tree.depth(); ++l) {
      const std::uint64_t a = tree.object(from, l);
      const std::uint64_t b = tree.object(to, l);
      visit(tree.link(l, a, false), -before.sent);
      visit(tree.link(l, a, true), -before.received);
      visit(tree.link(l, b, false), after.sent);
      visit(tree.link(l, b, true), after.received);
      before.add(before_at[l]);
      after.add(after_at[l]);
    }
  }

  std::vector<Ends> ends_;
};

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

  /// As TreeDifferences::find().
  template <class Partners, class Visit>
  void for_each_difference(Slot from, Slot to, Partners&& partners, Visit&& visit) {
    differences_.find(Levels{*tree_}, from, to, partners, visit);
  }

  LinkObjects objects() const {
    LinkObjects objects;
    for (unsigned l = 0; l <= tree_->depth(); ++l) objects.push_back(tree_->objects(l));
    return objects;
  }
  std::uint64_t scale(std::uint64_t link) const { return scale_[kind_of_link(link)]; }
  bool is_slot_link(std::uint64_t link) const { return kind_of_link(link) == tree_->depth(); }

 private:
  struct Levels {
    const TreeMachine& tree;

    unsigned depth() const { return tree.depth(); }
    unsigned meeting(Slot a, Slot b) const { return tree.meeting(a, b); }
    std::uint64_t object(Slot slot, unsigned level) const {
      return tree.ancestor(tree.leaf_of_slot(slot), level);
    }
    std::uint64_t parent(unsigned level, std::uint64_t object) const {
      return tree.parent(level, object);
    }
    std::uint64_t link(unsigned level, std::uint64_t object, bool down) const {
      return link_number(level, object, down);
    }
  };

  const TreeMachine* tree_;
  LinkScales scale_;
  TreeDifferences<Levels> differences_;
};

/// Where routes are not known: from a node to the network and from there to the other. One kind.
class NodeRoutes {
 public:
  explicit NodeRoutes(const Machine& machine)
      : nodes_(machine.nodes()),
        scale_(LinkTimes(machine).of_network()),
        has_one_slot_(machine.nodes() == machine.slots()) {
    node_of_.reserve(machine.slots());
    for (Slot slot(0); slot.value < machine.slots(); ++slot) {
      node_of_.push_back(static_cast<std::uint32_t>(machine.node_of(slot)));
    }
  }

  template <class Visit>
  void for_each_link(Slot from, Slot to, Visit&& visit) const {
    const std::uint32_t a = node_of_[from.value];
    const std::uint32_t b = node_of_[to.value];
    if (a == b) return;
    visit(link_number(0, a, false));
    visit(link_number(0, b, true));
  }

  /// As TreeDifferences::find().
  template <class Partners, class Visit>
  void for_each_difference(Slot from, Slot to, Partners&& partners, Visit&& visit) {
    differences_.find(Levels{node_of_}, from, to, partners, visit);
  }

  LinkObjects objects() const { return {nodes_}; }
  std::uint64_t scale(std::uint64_t) const { return scale_; }
  bool is_slot_link(std::uint64_t) const { return has_one_slot_; }

 private:
  /// The network above all nodes.
  struct Levels {
    const std::vector<std::uint32_t>& node_of;

    unsigned depth() const { return 1; }
    unsigned meeting(Slot a, Slot b) const { return node_of[a.value] == node_of[b.value] ? 1 : 0; }
    std::uint64_t object(Slot slot, unsigned) const { return node_of[slot.value]; }
    std::uint64_t parent(unsigned, std::uint64_t) const { return 0; }
    std::uint64_t link(unsigned, std::uint64_t node, bool down) const {
      return link_number(0, node, down);
    }
  };

  std::uint64_t nodes_;
  std::uint64_t scale_;
  bool has_one_slot_;
  std::vector<std::uint32_t> node_of_;  // by slot
  TreeDifferences<Levels> differences_;
};

}  // namespace kith::bottleneck
