// What `kith info` tells of a trace's timeline.
#pragma once

#include <cstdint>
#include <optional>

#include "kith/io.hpp"

namespace kith::tools {

struct TimelineFacts {
  std::uint32_t ranks = 0;
  std::uint64_t operations = 0;          ///< of all ranks, omitted ones with them
  std::uint64_t omitted_operations = 0;  ///< KITH_TIMELINE_MEMORY
  double bytes_share = 0;                ///< of the matrix's bytes that the timeline has
  bool is_exact = false;                 ///< every entry of the matrix, neither more nor less
  double run_seconds = 0;                ///< of the rank that took longest
};

/// Nothing where the trace has no timeline. Throws Error (input) where it is damaged.
std::optional<TimelineFacts> timeline_facts(const Trace& trace);

}  // namespace kith::tools
