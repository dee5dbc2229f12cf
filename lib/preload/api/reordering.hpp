// kith_reorder and kith_reorder_graph: a communicator in a new order, from what its ranks have sent
// or from what they declare.
#pragma once

#include "mpi/late_mpi.h"

// After late_mpi.h, which redefines what mpi.h declares.
#include "kith/kith.h"

namespace kith::runtime {

// Both are collective over `comm`, a communicator of one group, and return what kith.h says. Never
// throw.

int reorder(MPI_Comm comm, const kith_options* options, MPI_Comm* reordered) noexcept;

/// The edges that a rank declares.
struct DeclaredPeers {
  int degree = 0;
  const int* peers = nullptr;
  const double* weights = nullptr;
};
int reorder_graph(MPI_Comm comm, const DeclaredPeers& declared, const kith_options* options,
                  MPI_Comm* reordered) noexcept;

/// From now on options.since_checkpoint means what this rank sends from here. Throws
/// std::bad_alloc.
void mark_checkpoint();

}  // namespace kith::runtime
