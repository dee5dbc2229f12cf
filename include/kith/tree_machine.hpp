// A machine whose slots are the leaves of a tree: cores in packages in hosts in a network.
#pragma once

#include <array>
#include <bit>

#include "kith/machine.hpp"

namespace kith {

/// All leaves are at the same depth; inner objects may have unequal numbers of children.
/// Levels are numbered top down: level 0 is the root's children's level of meeting, that is, two
/// slots whose paths part at the root meet at level 0; depth() levels in all. Memory: 8 bytes a slot.
class TreeMachine final : public Machine {
 public:
  /// A symmetric tree. `arities` top down, product <= 2^32 - 1. `costs` empty or one per level.
  static std::unique_ptr<TreeMachine> symmetric(std::vector<std::uint32_t> arities,
                                                std::vector<std::uint64_t> costs,
                                                std::uint64_t cost_scale, std::string spec);

  /// Any tree of equal depth. `children[l]` lists, for each object of depth l from left to right,
  /// how many children it has (children[0] has one item: the root). `names[l]` names the level at
  /// which two slots meet when they part below an object of depth l ("network", "host", ...).
  static std::unique_ptr<TreeMachine> explicit_tree(std::vector<std::vector<std::uint32_t>> children,
                                                    std::vector<std::string> names,
                                                    std::string kind, std::string spec,
                                                    std::string hosts_digest);

  std::string_view kind() const override { return kind_; }
  std::uint64_t hops(Slot a, Slot b) const override { return level_hops_[meeting(a, b)]; }
  std::uint64_t cost(Slot a, Slot b) const override { return level_cost_[meeting(a, b)]; }
  bool has_costs() const override { return has_costs_; }
  std::uint64_t cost_scale() const override { return cost_scale_; }
  std::uint64_t nodes() const override;
  const TreeMachine* as_tree() const override { return this; }
  std::unique_ptr<Machine> restricted_to(const SlotSet& slots) const override;

  /// Number of levels at which two slots can meet.
  unsigned depth() const { return depth_; }
  /// depth() levels, top down.
  std::span<const Level> levels() const { return levels_; }
  /// The level of the lowest common ancestor, 0 .. depth()-1; depth() when a == b. O(1).
  unsigned meeting(Slot a, Slot b) const {
    const std::uint64_t differ = path_[a.value] ^ path_[b.value];
    return level_of_bit_[static_cast<std::size_t>(std::bit_width(differ))];
  }
  std::uint64_t level_hops(unsigned level) const { return level_hops_[level]; }
  std::uint64_t level_cost(unsigned level) const { return level_cost_[level]; }
  /// How many children each object of depth `level` has (level 0: the root), left to right.
  std::span<const std::uint32_t> children(unsigned level) const { return children_[level]; }

  /// The arities of the tree that the *allowed* slots span, top down, when that tree is symmetric
  /// (each object of a level that has allowed slots below it has equally many children in use).
  std::optional<std::vector<std::uint32_t>> allowed_arities() const;

 private:
  TreeMachine() = default;
  void index_slots();
  void set_levels(std::vector<std::string> names, std::vector<std::uint64_t> costs);

  std::string kind_;
  unsigned depth_ = 0;
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<Level> levels_;
  std::vector<std::uint64_t> level_hops_;  // by meeting level; depth_ + 1 items, the last 0
  std::vector<std::uint64_t> level_cost_;
  bool has_costs_ = false;
  std::uint64_t cost_scale_ = 1;
  // A slot's child indices, a bit field per level, top level in the high bits: the highest bit in
  // which two paths differ gives the level at which they part.
  std::vector<std::uint64_t> path_;
  std::array<std::uint8_t, 65> level_of_bit_{};
};

}  // namespace kith
