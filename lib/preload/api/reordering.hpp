// The reorder API behind the C functions of kith.h: its structures, and the calls that decide
// and reorder.
#pragma once

#include <optional>

#include "mpi/late_mpi.h"
#include "order/order.hpp"

// After late_mpi.h, which redefines what mpi.h declares.
#include "kith/kith.h"

namespace kith::preload {

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

}  // namespace kith::preload

// The structs of kith.h, in every size that a program may have been compiled with.

// After late_mpi.h, which redefines what mpi.h declares.
#include "kith/kith.h"

namespace kith::preload {

/// `given` with defaults for what an older struct has not; null: all defaults. Nothing where the
/// size is not that of any version, or a number is not finite.
std::optional<kith_options> read_options(const kith_options* given);

/// What the options change in a request whose settings are the job's.
void apply(const kith_options& options, OrderRequest& request);

/// Whether `report` is a struct of a known size.
bool is_report(const kith_report* report);
/// As much of the order's account as the struct has room for.
void fill(const Order& order, kith_report* report);

}  // namespace kith::preload
