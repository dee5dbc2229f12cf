// Facts of the job that its trace states: who counts the messages inside collectives, and the
// program's process grid.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "comm/private_comm.hpp"
#include "kith/detail/job.hpp"
#include "protocol/settings.hpp"
#include "record/record.hpp"

namespace kith::preload {

/// Before MPI_Init: what has to be in place by then.
void prepare_collective_source(const Settings& settings);

/// Counts exactly from here on, where `wanted` lets it. Empty, or why that can't be had here.
std::string install_exact_counting(CollectiveSource wanted);
/// Collective over `private_comm`: exact needs every rank, else the model serves all.
/// `wanted` is the root's, the same everywhere; `problem` what install_exact_counting() said, and
/// `all_could` whether it was empty on all ranks. Where exact was asked for by name and cannot be
/// had, the root says why.
record::Collectives agreed_collectives(PrivateComm& private_comm, CollectiveSource wanted,
                                       const std::string& problem, bool all_could);

/// Collective: "exact", "model", "off", or "mixed" where some communicators were exact and some
/// modelled. What the trace says.
std::string collective_source_used(PrivateComm& private_comm, record::Collectives collectives);

/// Collective over the private communicator. On the root: the first Cartesian communicator of all
/// ranks, when all of them are in one of the same shape. `program_rank`: of this process. O(1) for
/// each rank, except for the root where the grid has the ranks in another order. Throws MpiFailure
/// and std::bad_alloc.
std::optional<CartesianTopology> agree_on_cartesian(PrivateComm& private_comm,
                                                    std::uint32_t program_rank);

}  // namespace kith::preload
