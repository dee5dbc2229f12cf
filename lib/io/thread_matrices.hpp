// What a trace knows of the threads of its ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/io.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// What the threads of one rank share.
struct ThreadMatrix {
  std::uint32_t rank = 0;     ///< that the program sees
  TrafficMatrix touches;      ///< how often thread j touched memory after thread i
  std::uint64_t samples = 0;  ///< that it is made of; 0: all accesses were seen

  std::uint32_t threads() const { return touches.ranks(); }
  /// Whether they share more than what synchronises them: with samples, one touch in ten of them
  /// and more; else a hundred for each thread.
  bool is_sharing() const;
};

/// The ranks of which the trace has a matrix, ascending.
std::vector<std::uint32_t> ranks_with_threads(const Trace& trace);

/// Throws Error (input) where the trace has none of `rank`, or a damaged one.
ThreadMatrix read_thread_matrix(const Trace& trace, std::uint32_t rank);

}  // namespace kith
