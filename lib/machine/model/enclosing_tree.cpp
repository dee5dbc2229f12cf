#include "machine/model/enclosing_tree.hpp"

#include <algorithm>

namespace kith {

std::optional<EnclosingTree> enclosing_tree(const TreeMachine& tree,
                                            std::span<const std::uint32_t> leaves) {
  const unsigned depth = tree.depth();
  EnclosingTree enclosing;
  enclosing.arities.assign(depth, 1);
  // index[l][i]: which of its parent's children in use the object of depth l + 1 above leaf i is.
  std::vector<std::vector<std::uint32_t>> index(depth, std::vector<std::uint32_t>(leaves.size()));
  std::vector<std::uint32_t> object(leaves.begin(), leaves.end());
  for (unsigned l = depth; l-- > 0;) {
    std::vector<std::uint32_t> above(leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      above[i] = static_cast<std::uint32_t>(tree.parent(l + 1, object[i]));
      if (i > 0 && above[i] == above[i - 1]) {
        index[l][i] = index[l][i - 1] + (object[i] == object[i - 1] ? 0 : 1);
      }
      enclosing.arities[l] = std::max(enclosing.arities[l], index[l][i] + 1);
    }
    object = std::move(above);
  }
  std::int64_t size = 1;
  for (const std::uint32_t arity : enclosing.arities) {
    if (__builtin_mul_overflow(size, std::int64_t{arity}, &size)) return std::nullopt;
  }
  enclosing.size = static_cast<std::uint64_t>(size);
  enclosing.places.assign(leaves.size(), 0);
  for (unsigned l = 0; l < depth; ++l) {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      enclosing.places[i] = enclosing.places[i] * enclosing.arities[l] + index[l][i];
    }
  }
  return enclosing;
}

}  // namespace kith
