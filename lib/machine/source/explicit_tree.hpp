// Trees written out object by object: (8,8,4), (3*(8,8),16*4).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/sources.hpp"

namespace kith {

/// The children of each object; symmetric trees by their arities.
struct ExplicitTree {
  std::vector<std::uint32_t> arities;                ///< top down; empty unless symmetric
  std::vector<std::vector<std::uint32_t>> children;  ///< as in TreeDescription; else empty
  std::size_t depth() const { return arities.empty() ? children.size() : arities.size(); }
};

/// `text`: "(ITEM,ITEM,...)", each ITEM a child: a number, which is an object of so many slots, or
/// again a list; with N* before it N equal children. Throws Error (input) for anything else, leaves
/// of unequal depth, more than 64 levels, 2^32 - 1 slots, or, where children are unequal, 2^24
/// objects and slots: memory is then proportional to these.
ExplicitTree parse_explicit_tree(std::string_view text, const SpecRequest& request);

}  // namespace kith
