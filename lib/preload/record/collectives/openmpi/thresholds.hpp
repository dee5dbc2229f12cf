// At which sizes Open MPI changes algorithm: the compiled-in decisions of its "tuned" component,
// version 4.1.
#pragma once

#include <cstdint>

#include "record/collectives/openmpi/settings.hpp"

namespace kith::record::openmpi {

/// The algorithm (numbered as coll_tuned_X_algorithm does) for `ranks` (>= 2) and `bytes`. What the
/// bytes are differs: the whole message for bcast, reduce, allreduce, reduce_scatter; the block of
/// one rank for gather, scatter, allgather, alltoall, reduce_scatter_block; the mean block for
/// allgatherv; nothing for barrier and alltoallv. 0 for a collective without a table.
int fixed_algorithm(Collective collective, int ranks, std::uint64_t bytes, bool commutes = true);

}  // namespace kith::record::openmpi
