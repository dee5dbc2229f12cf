// What a buffer holds, cut into slices that are small enough to be moved one after the other. Plain
// numbers: what MPI says of a datatype is read in datatype.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kith::preload {

/// Equal pieces at equal distances.
struct Repeat {
  std::int64_t offset = 0;  ///< bytes from the start of what holds them to the first
  std::uint64_t count = 0;
  std::int64_t stride = 0;  ///< bytes from one to the next
  std::size_t shape = 0;    ///< of each: an index into Shapes
  bool operator==(const Repeat&) const = default;
};

/// What a datatype is made of.
struct Shape {
  std::uint64_t bytes = 0;    ///< of data, without holes
  std::vector<Repeat> parts;  ///< in the order of the type map; empty: cannot be taken apart
};
using Shapes = std::vector<Shape>;

inline std::uint64_t bytes_of(const Shapes& shapes, const Repeat& piece) {
  return piece.count * shapes[piece.shape].bytes;
}

/// Calls visit(slice) for slices that make up `whole`, in the order of the type map, no slice is
/// empty. Each holds at most `limit` bytes (at least 1), unless it is one piece that cannot be
/// taken apart.
template <class Visit>
void for_each_slice(const Shapes& shapes, const Repeat& whole, std::uint64_t limit, Visit&& visit) {
  const Shape& shape = shapes[whole.shape];
  if (shape.bytes == 0) return;
  const auto shifted = [&](std::uint64_t i) {
    return whole.offset + static_cast<std::int64_t>(i) * whole.stride;
  };
  if (shape.bytes <= limit || shape.parts.empty()) {
    const std::uint64_t run = std::max<std::uint64_t>(1, limit / shape.bytes);
    for (std::uint64_t i = 0; i < whole.count; i += run) {
      visit(Repeat{shifted(i), std::min(run, whole.count - i), whole.stride, whole.shape});
    }
    return;
  }
  for (std::uint64_t i = 0; i < whole.count; ++i) {
    for (Repeat part : shape.parts) {
      part.offset += shifted(i);
      for_each_slice(shapes, part, limit, visit);
    }
  }
}

/// What the slices of one element are like.
struct SliceAccount {
  std::uint64_t largest = 0;  ///< bytes
  /// Of the slices' sizes, one after the other: two elements with equal digests are cut alike.
  std::uint64_t digest = 0;
};
inline SliceAccount account_of(const Shapes& shapes, std::size_t shape, std::uint64_t limit) {
  constexpr std::uint64_t fnv_start = 0xcbf29ce484222325ULL;
  constexpr std::uint64_t fnv_prime = 0x100000001b3ULL;  // FNV-1a, a number at a time
  SliceAccount account{0, fnv_start};
  for_each_slice(shapes, {0, 1, 0, shape}, limit, [&](const Repeat& slice) {
    const std::uint64_t bytes = bytes_of(shapes, slice);
    account.largest = std::max(account.largest, bytes);
    account.digest = (account.digest ^ bytes) * fnv_prime;
  });
  return account;
}

/// Where a member's data goes, and whose it gets: ranks of the communicator before.
struct Move {
  std::int32_t to = 0;
  std::int32_t from = 0;
  bool operator==(const Move&) const = default;
};
/// Of old rank `me`. `place[r]`: the old rank of the process that is rank r now; a permutation.
inline Move move_of(const std::vector<std::int32_t>& place, std::int32_t me) {
  const auto now = std::find(place.begin(), place.end(), me) - place.begin();
  return {place[static_cast<std::size_t>(me)], static_cast<std::int32_t>(now)};
}

/// Whether each of 0 .. size-1 is there exactly once.
inline bool is_permutation(const std::vector<std::int32_t>& place) {
  std::vector<bool> seen(place.size(), false);
  for (const std::int32_t rank : place) {
    const auto at = static_cast<std::size_t>(rank);
    if (rank < 0 || at >= seen.size() || seen[at]) return false;
    seen[at] = true;
  }
  return true;
}

}  // namespace kith::preload
