// The host of every rank, on every rank: for calls that may not communicate.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/late_mpi.h"

namespace kith::runtime {

/// Collective over the library's world, after after_init(): keeps the table where a rank wants it
/// and topologies are Kith's affair. Never throws: without a table, local calls are the library's.
void keep_host_table(bool is_wanted) noexcept;

/// A number for the host of each rank of `comm`, equal for ranks that share one; empty without a
/// table, or where `comm` has members from elsewhere. Local. Throws std::bad_alloc.
std::vector<std::int32_t> hosts_of(MPI_Comm comm);

/// KITH_MIN_GAIN of the root, as all ranks know it with the table.
double agreed_min_gain();

}  // namespace kith::runtime
