// Collective-internal messages, counted in Open MPI's message layer.
#pragma once

#include <string>

#include "mpi/late_mpi.h"

namespace kith::record {

/// Before MPI_Init, in a process that may count exactly: asks for what source 2 needs, should
/// source 1 not fit this library or `by_monitoring` be wished.
void prepare_exact(bool by_monitoring);

/// After MPI_Init, before begin(). Empty when a source is in place, else why there is none. Nothing
/// is counted before begin().
std::string install_exact();
/// Takes the source out again, where that is possible.
void remove_exact();

/// Counting begins, in a job that uses the source; ends.
void begin_exact();
void end_exact();

/// Whether what collectives send on `comm` is counted here (then the model keeps quiet).
bool counted_exactly(MPI_Comm comm);
/// True when some communicator was not: the trace says so.
bool some_not_exact();

/// A communicator of Kith's own: nothing on it is traffic of the program.
void mark_as_ours(MPI_Comm comm);
void unmark(MPI_Comm comm);

}  // namespace kith::record
