// What a rank worked, in one stretch of the run.
#pragma once

#include <cstdint>

namespace kith::record {

/// CPU time of the process, all threads, split by where it was spent: a rank that waits for others
/// burns its time inside MPI. Plain data: what is gathered.
struct Load {
  static constexpr std::uint64_t unknown = UINT64_MAX;

  std::uint64_t outside_ns = 0;          ///< CPU time outside MPI calls
  std::uint64_t inside_ns = 0;           ///< CPU time inside MPI calls
  std::uint64_t instructions = unknown;  ///< executed in user mode; `unknown` where none count them

  bool operator==(const Load&) const = default;
};

/// Adds `more` to `sum`. Instructions are known only where both are.
inline void add_to(Load& sum, const Load& more) {
  sum.outside_ns += more.outside_ns;
  sum.inside_ns += more.inside_ns;
  const bool known = sum.instructions != Load::unknown && more.instructions != Load::unknown;
  sum.instructions = known ? sum.instructions + more.instructions : Load::unknown;
}

}  // namespace kith::record
