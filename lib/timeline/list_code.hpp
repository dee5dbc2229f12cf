// Lists of small tuples in few bytes: what changes evenly from entry to entry costs next to nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kith::timeline {

/// Encodes entries of `fields` numbers each, one behind the other in `numbers`: for each stretch of
/// entries that differ from the one before by the same amounts, its length and those amounts, each
/// number in as few bytes as it needs (LEB128, signs folded in). The entry before the first is all
/// zeros. Returns the bytes needed; writes nothing beyond `capacity` bytes of `out`.
std::size_t encode_list(std::span<const std::int64_t> numbers, int fields, char* out,
                        std::size_t capacity);

/// The numbers back, at most `most` entries. Throws std::runtime_error for what encode_list() does
/// not make and for longer lists.
std::vector<std::int64_t> decode_list(std::string_view bytes, int fields,
                                      std::size_t most = std::size_t{1} << 26U);

}  // namespace kith::timeline
