// Instructions of this process, counted by the kernel where it allows that.
#pragma once

#include <cstdint>

namespace kith::record {

/// Once. Threads that exist already, but the calling one, are not seen.
void start_instructions();

/// Executed in user mode since start_instructions(); Load::unknown where nothing counts.
std::uint64_t instructions_so_far();

}  // namespace kith::record
