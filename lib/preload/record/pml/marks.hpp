// Communicators whose messages are not what they seem.
#pragma once

#include <cstdint>

#include "mpi/late_mpi.h"

namespace kith::record {

enum class Mark : std::uint8_t {
  none,
  ours,           ///< Kith's own: not the program's traffic
  inside_window,  ///< positive tags carry one-sided data, which the wrappers count
};

/// Thread safe; setting takes a lock, asking does not. Mark::none takes a mark away.
void set_mark(MPI_Comm comm, Mark mark);
Mark mark_of(MPI_Comm comm);

}  // namespace kith::record
