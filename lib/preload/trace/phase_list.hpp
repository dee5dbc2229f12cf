// The phases of the job: closing one is local, so ranks may know different ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comm/private_comm.hpp"
#include "trace/rank_traffic.hpp"

namespace kith::runtime {

/// The names in the order of their first appearance, each once.
std::vector<std::string> names_of(const std::vector<Phase>& phases);

/// Adds those of `more` that are not in `names`.
void append_new(std::vector<std::string>& names, const std::vector<std::string>& more);

/// Collective over `private_comm`: the same list everywhere. First what rank 0 has closed,
/// in its order; then what only others have, by lowest rank. `rank`: the one that the program sees.
/// Ranks talk about what they lack, so that a million equal lists cost a broadcast.
std::vector<std::string> agree_on_phases(PrivateComm& private_comm, std::uint32_t rank,
                                         const std::vector<Phase>& own);

}  // namespace kith::runtime
