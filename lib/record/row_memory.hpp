// Where the blocks of the rows lie.
#pragma once

#include <cstddef>

namespace kith::record {

/// Zeroed memory, aligned to 8, never freed while MPI runs. Null when exhausted. Thread safe.
void* row_memory(std::size_t bytes);

}  // namespace kith::record
