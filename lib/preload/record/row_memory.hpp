// Where the blocks of the rows lie: in a file that outlives the process, or in private memory.
#pragma once

#include <cstdint>
#include <string>

#include "core/row_block.hpp"

namespace kith::record {

/// A zeroed block for `capacity` entries, ready for use and never freed while MPI runs. Null when
/// memory is exhausted. Thread safe. In a row file while there is one and it has place.
RowBlock* make_row_block(std::uint32_t capacity, RowDirection direction);

struct RowFile {
  std::string path;  ///< absolute; no file is there yet
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
  std::uint64_t run = 0;
};

/// From now on blocks lie in this file, mapped shared: whatever kills the process, its counters are
/// in the file. Their place is written before it is mapped, so that a full disk cannot end the
/// application. Where a file finds no more place later, blocks are private and the file says so.
/// Empty on success, else the reason; blocks are private then. Throws std::bad_alloc.
std::string keep_rows_in(const RowFile& file);

/// Blocks made from now on are private. Removes the file, if it is still this one; what lies in it
/// stays readable here.
void remove_row_file();

}  // namespace kith::record
