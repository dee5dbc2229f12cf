// A program, the part of a stream that ranks share, as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "timeline/byte_reader.hpp"
#include "timeline/stream.hpp"

namespace kith::timeline {

/// Rules may lie this deep in each other.
inline constexpr std::uint32_t deepest_nesting = 512;

std::string encode_program(const Program& program);

/// The program, in which every index is one of its own (communicators apart), rules refer to later
/// rules only, nothing is repeated zero times and the whole has less than 2^63 events.
Program decode_program(ByteReader in);

/// What the rest of a rank's timeline must have for a program.
struct ProgramNeeds {
  std::uint32_t communicators = 0;
  std::uint32_t times = 0;
};
ProgramNeeds needs_of(const Program& program);

/// Refuses programs whose peers are outside the world for this rank; `in` says where.
void check_peers(const Program& program, std::uint32_t rank, std::uint32_t world_size,
                 const ByteReader& in);

}  // namespace kith::timeline
