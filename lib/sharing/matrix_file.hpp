// A matrix of what threads share: as text, and as a file that is whole or absent.
#pragma once

#include <cstdint>
#include <string>

namespace kith::sharing {

/// Matrix Market. `remark`: a comment line, without its %. `count(before, after)` is read once for
/// each pair of threads: they may still be running.
template <class Count>
std::string matrix_text(std::uint32_t threads, const std::string& remark, const Count& count) {
  std::string cells;
  std::uint64_t entries = 0;
  for (std::uint32_t before = 0; before < threads; ++before) {
    for (std::uint32_t after = 0; after < threads; ++after) {
      const std::uint64_t times = count(before, after);
      if (times == 0) continue;
      ++entries;
      cells += std::to_string(before + 1) + ' ' + std::to_string(after + 1) + ' ' +
               std::to_string(times) + '\n';
    }
  }
  const std::string size = std::to_string(threads);
  return "%%MatrixMarket matrix coordinate integer general\n% " + remark + '\n' + size + ' ' +
         size + ' ' + std::to_string(entries) + '\n' + cells;
}

/// A regular file is written under another name first, so that it is complete or absent. A device
/// or a pipe is written to directly. False, and errno, where that fails.
bool write_out(const std::string& path, const std::string& text);

/// ".3" for rank 3 of a job as the launcher says, where each rank has a file; else nothing.
std::string ending_of_rank();

}  // namespace kith::sharing
