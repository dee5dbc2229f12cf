// Symmetric trees for programs that know no others: the smallest that some leaves of a tree fit
// into, and Scotch's deco domains.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kith/detail/tree_machine.hpp"

namespace kith {

struct EnclosingTree {
  std::vector<std::uint32_t> arities;  ///< top down, one per level, at least 1 each
  std::uint64_t size = 1;              ///< leaves, below 2^63
  /// The leaf of this tree that each given one becomes, ascending. Pairs meet at the same levels.
  std::vector<std::uint64_t> places;
};

/// `leaves` ascending. Children that have none of them below are passed over. Nothing where the
/// tree would have 2^63 leaves or more. O(leaves x depth).
std::optional<EnclosingTree> enclosing_tree(const TreeMachine& tree,
                                            std::span<const std::uint32_t> leaves);

/// Appends the domains of a recursive bisection of `count` terminals that are terminals, in order:
/// domain i is divided into 2 i, one terminal larger where they are odd, and 2 i + 1.
inline void number_domains(std::uint64_t domain, std::uint64_t count,
                           std::vector<std::uint64_t>& out) {
  if (count == 1) {
    out.push_back(domain);
    return;
  }
  number_domains(2 * domain, count - count / 2, out);
  number_domains(2 * domain + 1, count / 2, out);
}

}  // namespace kith
