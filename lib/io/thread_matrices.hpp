// What a trace knows of the threads of its ranks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

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

/// Calls visit() for each matrix of the trace, ascending by rank; one is in memory at a time.
/// Throws Error (input) for a damaged one.
void visit_thread_matrices(const Trace& trace,
                           const std::function<void(const ThreadMatrix&)>& visit);

/// What a matrix of threads counts, as its first comment says; empty for all other files.
std::string thread_matrix_comment(const std::filesystem::path& path);

}  // namespace kith
