// One-sided traffic: bytes go from where they are to where they are wanted.
//
// A put moves bytes from the origin (the caller) to the target, a get from the target to the
// origin: a cell of the target's row that only the origin knows (Row::fetched). The atomic
// operations move as many bytes as Open MPI's own one-sided monitoring counts: an element each way
// for fetch-and-op and compare-and-swap, the operand there and the old value back for
// get-accumulate. MPI_NO_OP sends no operand. Loads and stores in shared memory are no calls.
#pragma once

#include <cstdint>

#include "mpi/late_mpi.h"

namespace kith::record {

/// MPI_Put, MPI_Accumulate and their request-based forms.
void put(MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype);
void get(MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype);
void get_accumulate(MPI_Win window, int target, MPI_Op op, std::int64_t operand_count,
                    MPI_Datatype operand_type, std::int64_t result_count, MPI_Datatype result_type);
void fetch_and_op(MPI_Win window, int target, MPI_Op op, MPI_Datatype datatype);
void compare_and_swap(MPI_Win window, int target, MPI_Datatype datatype);

/// The handle of a freed window may come back as another's.
void forget_windows();

}  // namespace kith::record
