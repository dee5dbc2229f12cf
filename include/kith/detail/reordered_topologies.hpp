// Topologies of MPI that Kith has reordered. Plain data.
#pragma once

#include <cstdint>

namespace kith {

/// Those that got another order than the program's communicators had, while a trace was recorded:
/// its traffic is that of this layout.
struct ReorderedTopologies {
  std::uint64_t count = 0;
  std::uint64_t of_world = 0;  ///< how many of them held all ranks
};

}  // namespace kith
