// Persistent sends, by their request handle.
#pragma once

#include <cstdint>
#include <optional>

#include "mpi/late_mpi.h"

namespace kith::record {

/// What a start of the request sends.
struct PreparedSend {
  std::uint32_t peer = 0;  ///< world rank
  std::uint64_t bytes = 0;
};

/// Thread safe. The lock is held for a few instructions; blocking and nonblocking sends never take
/// it.
void remember_send(MPI_Request request, PreparedSend send);
void forget_send(MPI_Request request);
std::optional<PreparedSend> find_send(MPI_Request request);

}  // namespace kith::record
