// A message seen in the message layer: is it ours to count, and as what? Communicators whose
// messages are not what they seem are marked.
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

/// Whether messages are counted now. Set by begin_exact(), end_exact().
void set_classifying(bool on);

/// True for the usual case that needs no further look: a message of the program inside a call whose
/// wrapper counts it, or nothing is to be counted. A few instructions.
bool is_counted_elsewhere(int tag);

/// A message of `bytes` to `dest` of `comm`, whose destinations are ranks of `group`.
void classify_message(MPI_Comm comm, MPI_Group group, int dest, std::uint64_t bytes, int tag);
/// The same where only the launcher's rank is known.
void classify_to_launcher_rank(int rank, std::uint64_t bytes, int tag);

}  // namespace kith::record
