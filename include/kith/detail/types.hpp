// Strong index types: a rank and a slot are never interchangeable.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace kith {

/// A 32-bit index that only mixes with its own kind. `value` is the plain number.
template <class Tag>
struct Index {
  std::uint32_t value = 0;

  constexpr Index() = default;
  constexpr explicit Index(std::uint32_t v) : value(v) {}

  constexpr auto operator<=>(const Index&) const = default;
  constexpr Index& operator++() {
    ++value;
    return *this;
  }
};

/// Rank of a process as the program sees it, 0 .. ranks-1.
using Rank = Index<struct RankTag>;

/// A place where a rank can run, numbered as the machine numbers it (0 .. slots-1).
using Slot = Index<struct SlotTag>;

/// "No slot": not yet placed.
inline constexpr Slot no_slot{std::numeric_limits<std::uint32_t>::max()};

/// Bytes or messages, whichever the matrix at hand counts.
using Weight = std::uint64_t;

/// Largest number of ranks or slots that the 32-bit indices can hold (the last value is no_slot).
inline constexpr std::uint64_t max_index_count = std::numeric_limits<std::uint32_t>::max();

}  // namespace kith

template <class Tag>
struct std::hash<kith::Index<Tag>> {
  std::size_t operator()(kith::Index<Tag> i) const noexcept {
    return std::hash<std::uint32_t>{}(i.value);
  }
};
