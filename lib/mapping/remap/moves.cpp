#include "mapping/remap/moves.hpp"

namespace kith {

std::uint64_t moved_ranks(const Mapping& from, const Mapping& to) {
  std::uint64_t moved = 0;
  for (Rank r(0); r.value < from.ranks(); ++r) {
    if (from[r] != no_slot && from[r] != to[r]) ++moved;
  }
  return moved;
}

}  // namespace kith
