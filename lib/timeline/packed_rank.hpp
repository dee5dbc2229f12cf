// A rank's timeline as bytes on their own: what a rank sends to the leader of its host, and what a
// partial trace has of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "timeline/rank_code.hpp"
#include "timeline/stream.hpp"

namespace kith::timeline {

std::string pack_rank(const RankTimeline& timeline);

/// The timeline, its times rounded as short_float() and times_code.hpp have them. Throws Error that
/// says where in `name` the damage is.
RankTimeline unpack_rank(std::string_view packed, std::string_view name);

/// What pack_rank() wrote, its checksum compared.
struct PackedRank {
  RankFacts facts;
  std::vector<ThreadCode> threads;  ///< their programs lie in the bytes that were given
};
PackedRank open_packed_rank(ByteReader in);

}  // namespace kith::timeline
