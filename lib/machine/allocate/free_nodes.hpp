// The free nodes of a machine: boxes of a grid, intervals of numbers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace kith {

/// Nodes (row-major, last dimension fastest) of a box of exactly `volume` nodes that are all free:
/// of the shapes the one with the least surface, of its places the first. Boxes do not reach around
/// the ends of a ring. `is_free`: one item a node. O(nodes x shapes x 2^dims).
std::optional<std::vector<std::uint32_t>> find_free_box(std::span<const std::uint32_t> extents,
                                                        const std::vector<bool>& is_free,
                                                        std::uint64_t volume);

// Free positions on a line, as stretches.

/// Positions first .. first + length - 1.
struct Stretch {
  std::uint64_t first;
  std::uint64_t length;
  bool operator==(const Stretch&) const = default;
};

/// A set of positions that knows its stretches by place and by length. O(log stretches) each.
class FreeIntervals {
 public:
  std::uint64_t size() const { return size_; }
  bool contains(std::uint64_t position) const;
  /// Adds positions that are not in the set; joins neighbouring stretches.
  void add(Stretch stretch);
  /// Takes positions that are all in one stretch of the set.
  void take(Stretch stretch);
  /// Of the stretches at least so long the shortest, of those the first.
  std::optional<Stretch> shortest_with(std::uint64_t length) const;
  /// `count` positions of the set, first and last as near to each other as possible; the first such
  /// ones. Precondition: count is 1 .. size(). O(stretches).
  std::vector<Stretch> least_span(std::uint64_t count) const;
  /// Best fit: the front of shortest_with(), else least_span(). Not taken yet.
  std::vector<Stretch> best_fit(std::uint64_t count) const;
  /// All, ascending.
  std::vector<Stretch> stretches() const;

 private:
  void insert(Stretch stretch);
  void erase(std::map<std::uint64_t, std::uint64_t>::iterator stretch);

  std::map<std::uint64_t, std::uint64_t> length_at_;             // by first position
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_length_;  // (length, first)
  std::uint64_t size_ = 0;
};

}  // namespace kith
