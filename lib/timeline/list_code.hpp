// Lists of small tuples in few bytes: what changes evenly from entry to entry costs next to nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "timeline/byte_reader.hpp"

namespace kith::timeline {

/// Encodes entries of `fields` numbers each, one behind the other in `numbers`: for each stretch of
/// entries that differ from the one before by the same amounts, its length and those amounts, each
/// number in as few bytes as it needs (LEB128, signs folded in). The entry before the first is all
/// zeros. Returns the bytes needed; writes nothing beyond `capacity` bytes of `out`.
std::size_t encode_list(std::span<const std::int64_t> numbers, int fields, char* out,
                        std::size_t capacity);

/// No list has more entries, and all lists of a program together have no more: a few bytes can
/// encode many entries.
inline constexpr std::uint64_t most_list_entries = std::uint64_t{1} << 24U;

/// A stretch of entries: the first and then `entries - 1` steps of `step` each.
template <int fields>
struct ListStretch {
  std::uint64_t entries = 0;
  std::array<std::int64_t, fields> first{};
  std::array<std::int64_t, fields> step{};

  /// As encode_list() has it: wraps around.
  std::int64_t at(std::uint64_t entry, int field) const {
    const auto f = static_cast<std::size_t>(field);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(first[f]) +
                                     entry * static_cast<std::uint64_t>(step[f]));
  }
};

/// Calls `visit(stretch)` for each; encode_list() wrote `bytes`. Throws Error.
template <int fields, class Visit>
void for_each_stretch(ByteReader in, Visit&& visit) {
  std::array<std::int64_t, fields> last{};
  std::uint64_t all = 0;
  while (!in.done()) {
    ListStretch<fields> stretch;
    const std::size_t begin = in.at();
    stretch.entries = in.number("entries of a list");
    if (stretch.entries == 0 || stretch.entries > most_list_entries - all) {
      in.refuse_at(begin, "1 to 2^24 entries in a list", std::to_string(stretch.entries));
    }
    all += stretch.entries;
    for (std::size_t f = 0; f < fields; ++f) {
      stretch.step[f] = in.signed_number("a field of a list");
      stretch.first[f] = static_cast<std::int64_t>(static_cast<std::uint64_t>(last[f]) +
                                                   static_cast<std::uint64_t>(stretch.step[f]));
    }
    visit(static_cast<const ListStretch<fields>&>(stretch));
    for (int f = 0; f < fields; ++f) {
      last[static_cast<std::size_t>(f)] = stretch.at(stretch.entries - 1, f);
    }
  }
}

}  // namespace kith::timeline
