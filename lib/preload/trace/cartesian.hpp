// The grid of processes that the program made, as the trace tells it.
#pragma once

#include <cstdint>
#include <optional>

#include "comm/private_comm.hpp"
#include "kith/job.hpp"

namespace kith::runtime {

/// Collective over the private communicator. On the root: the first Cartesian communicator of all
/// ranks, when all of them are in one of the same shape. `program_rank`: of this process. O(1) for
/// each rank, except for the root where the grid has the ranks in another order. Throws MpiFailure
/// and std::bad_alloc.
std::optional<CartesianTopology> agree_on_cartesian(PrivateComm& private_comm,
                                                    std::uint32_t program_rank);

}  // namespace kith::runtime
