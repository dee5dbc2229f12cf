// A machine whose slots are the leaves of a tree: cores in packages in hosts in a network.
#pragma once

#include <array>
#include <bit>
#include <limits>

#include "kith/detail/job.hpp"
#include "kith/machine.hpp"

namespace kith {

/// A tree given object by object. All leaves are at the same depth; objects of one level may have
/// unequal numbers of children, at least one each.
struct TreeDescription {
  /// children[l] lists, for each object of depth l from left to right, how many children it has;
  /// children[0] has one item, the root. The last level's children are the leaves.
  std::vector<std::vector<std::uint32_t>> children;
  /// names[l]: the level at which two slots meet that part below an object of depth l ("network",
  /// "host", ...). As long as `children`.
  std::vector<std::string> names;
  /// The slot at each leaf, left to right: a permutation. Empty: slot i is leaf i.
  std::vector<Slot> slot_of_leaf;
  std::string kind;
  std::string spec;
  std::string hosts_digest;
  /// Cost by level, in units of 1/cost_scale, as long as `names`. Empty: hops.
  std::vector<std::uint64_t> costs;
  std::uint64_t cost_scale = 1;
  /// What was measured, by level, as long as `names`; empty: nothing. Shown, costs are separate.
  std::vector<LevelCost> measured;
  /// Nodes are the objects of the depth that has so many.
  std::uint64_t nodes = 1;
  std::vector<std::string> node_names;  ///< of the nodes from left to right; empty: none
  std::uint64_t pus = 0;                ///< 0: as many as slots
};

/// What joins an object to its parent, in links of one slot: numerator / denominator of them, over
/// which traffic spreads evenly.
struct LinkWidth {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;
  bool operator==(const LinkWidth&) const = default;
};

/// A tree whose objects of one level have equally many children.
struct SymmetricTree {
  std::vector<std::uint32_t> arities;  ///< top down, each at least 1
  std::vector<std::uint64_t> costs;    ///< one per level, in units of 1/cost_scale; empty: hops
  std::uint64_t cost_scale = 1;
  std::string spec;
  std::string kind = "tree";
  unsigned node_level = 1;        ///< nodes are the objects of this depth, at most arities.size()
  std::vector<LinkWidth> widths;  ///< widths[l]: above an object of depth l + 1; empty: 1 each
};

/// Levels are numbered top down: two slots whose paths part at the root meet at level 0; depth()
/// levels in all. Objects of depth l are numbered from left to right; those of depth depth() are
/// the leaves. Memory: symmetric trees 8 bytes a slot, at most 32 MiB; others 24 a slot.
class TreeMachine final : public Machine {
 public:
  /// A symmetric tree. `arities` top down, each at least 1. `costs` empty or one per level, in
  /// units of 1/cost_scale. Throws Error (input) for more than 2^32 - 1 slots or no level.
  static std::unique_ptr<TreeMachine> symmetric(std::vector<std::uint32_t> arities,
                                                std::vector<std::uint64_t> costs,
                                                std::uint64_t cost_scale, std::string spec);
  static std::unique_ptr<TreeMachine> symmetric(SymmetricTree tree);

  /// Throws Error (internal) for a description that contradicts itself.
  static std::unique_ptr<TreeMachine> from(TreeDescription description);

  std::string_view kind() const override { return kind_; }
  std::uint64_t hops(Slot a, Slot b) const override { return level_hops_[meeting(a, b)]; }
  std::uint64_t cost(Slot a, Slot b) const override { return level_cost_[meeting(a, b)]; }
  bool has_costs() const override { return has_costs_; }
  std::uint64_t cost_scale() const override { return cost_scale_; }
  std::uint64_t lowest_cost() const override { return level_cost_[depth() - 1]; }
  std::uint64_t nodes() const override { return nodes_; }
  const TreeMachine* as_tree() const override { return this; }
  std::uint64_t node_of(Slot slot) const override;

  /// Number of levels at which two slots can meet, at least 1.
  unsigned depth() const { return static_cast<unsigned>(levels_.size()); }
  /// depth() levels, top down.
  std::span<const Level> levels() const { return levels_; }
  /// The level of the lowest common ancestor, 0 .. depth()-1; depth() when a == b. O(1).
  unsigned meeting(Slot a, Slot b) const {
    const std::uint64_t differ = path(a) ^ path(b);
    return level_of_bit_[static_cast<std::size_t>(std::bit_width(differ))];
  }
  /// meeting() of two slots whose paths differ in the lowest `width` bits at most, and in the
  /// highest of these; 0 .. 64.
  unsigned level_of_width(std::size_t width) const { return level_of_bit_[width]; }
  /// A slot's child indices, a bit field per level, top level in the high bits: the highest bit in
  /// which two paths differ gives the level at which they part.
  std::uint64_t path(Slot slot) const {
    if (path_ != nullptr) return path_[slot.value];
    return slots_are_paths_ ? slot.value : computed_path(slot.value);
  }
  /// Hops and cost by meeting level: depth() + 1 items, the last is 0 (one slot).
  std::span<const std::uint64_t> level_hops() const { return level_hops_; }
  std::span<const std::uint64_t> level_cost() const { return level_cost_; }

  /// Of the link from an object of depth `level`, 1 .. depth(), to its parent.
  LinkWidth link_width(unsigned level) const {
    return widths_.empty() ? LinkWidth{} : widths_[level - 1];
  }

  /// Whether the machine says how wide its links are (fat trees).
  bool has_link_widths() const { return !widths_.empty(); }

  /// Objects of depth `level`, 0 .. depth().
  std::uint64_t objects(unsigned level) const {
    return level < depth() ? levels_[level].objects : slots_;
  }
  /// The children of an object of depth `level` < depth() are first_child(level, object) ..
  /// first_child(level, object + 1) - 1, of depth level + 1.
  std::uint64_t first_child(unsigned level, std::uint64_t object) const;
  /// Of depth level - 1; `level` is 1 .. depth().
  std::uint64_t parent(unsigned level, std::uint64_t object) const;
  /// The leaves below an object of depth `level` are first_leaf(level, object) .. first_leaf(level,
  /// object + 1) - 1. O(depth).
  std::uint64_t first_leaf(unsigned level, std::uint64_t object) const;
  /// The object of depth `level` above a leaf. O(depth).
  std::uint64_t ancestor(std::uint64_t leaf, unsigned level) const;

  Slot slot_of_leaf(std::uint64_t leaf) const;
  std::uint32_t leaf_of_slot(Slot slot) const;
  /// True where slot i is leaf i.
  bool slots_in_leaf_order() const;
  /// Leaves of the allowed slots, ascending: the first `at_most` of them. 4 bytes each.
  std::vector<std::uint32_t> allowed_leaves(
      std::uint64_t at_most = std::numeric_limits<std::uint64_t>::max()) const;

  /// The arities of the tree that the *allowed* slots span, top down, one per level, when that tree
  /// is symmetric (each object of a level that has allowed slots below it has equally many children
  /// in use).
  std::optional<std::vector<std::uint32_t>> allowed_arities() const;
  /// True for symmetric().
  bool is_symmetric() const;
  /// The same of any leaves, given in ascending order, at least one.
  std::optional<std::vector<std::uint32_t>> arities_of(std::vector<std::uint32_t> leaves) const;

  /// The depth whose objects are the nodes, 0 .. depth().
  unsigned node_level() const { return node_level_; }

 protected:
  std::unique_ptr<Machine> clone() const override;

 private:
  struct Shape;
  TreeMachine() = default;
  void set_levels(std::vector<std::string> names, std::span<const std::uint64_t> objects,
                  std::vector<std::uint64_t> costs);
  /// Lays out the bit fields for at most `most_children[l]` children on level l.
  void set_fields(std::span<const std::uint32_t> most_children);
  std::uint64_t computed_path(std::uint32_t leaf) const;

  std::string kind_;
  std::vector<Level> levels_;
  std::vector<std::uint64_t> level_hops_;
  std::vector<std::uint64_t> level_cost_;
  std::vector<unsigned> level_shift_;  // where each level's bit field begins
  bool has_costs_ = false;
  std::uint64_t cost_scale_ = 1;
  std::uint64_t nodes_ = 1;
  unsigned node_level_ = 0;
  std::vector<LinkWidth> widths_;  // empty: 1 each
  std::array<std::uint8_t, 65> level_of_bit_{};
  bool slots_are_paths_ = false;         // symmetric with arities that are powers of two
  std::shared_ptr<const Shape> shape_;   // shared with the machine that this one restricts
  const std::uint64_t* path_ = nullptr;  // in shape_; null: computed
};

}  // namespace kith
