// kith.h for other languages: handles are the integers that MPI gives Fortran, which are the same
// in every MPI library. The module `kith` of lib/bindings/fortran and the package `kith` of lib/bindings/python call
// these.
#include <cstdint>

#include "mpi/late_binding.hpp"
#include "mpi/late_mpi.h"

// After late_mpi.h, which redefines what mpi.h declares.
#include "kith/kith.h"

namespace {

/// MPI_COMM_NULL for an integer that is no handle: Open MPI then converts to a null pointer, which
/// its functions answer by ending the job.
MPI_Comm comm_of(MPI_Fint handle) {
  const MPI_Comm comm = PMPI_Comm_f2c(handle);
  return comm == MPI_Comm{} ? MPI_COMM_NULL : comm;
}

MPI_Datatype type_of(MPI_Fint handle) {
  const MPI_Datatype type = PMPI_Type_f2c(handle);
  return type == MPI_Datatype{} ? MPI_DATATYPE_NULL : type;
}

void give(MPI_Comm made, int code, MPI_Fint* handle) {
  if (code == MPI_SUCCESS) *handle = PMPI_Comm_c2f(made);
}

}  // namespace

#define KITH_API extern "C" __attribute__((visibility("default")))

KITH_API int kith_reorder_f(MPI_Fint comm, const kith_options* options, MPI_Fint* reordered) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  MPI_Comm made = MPI_COMM_NULL;
  const int code = kith_reorder(comm_of(comm), options, &made);
  give(made, code, reordered);
  return code;
}

KITH_API int kith_reorder_graph_f(MPI_Fint comm, int degree, const int peers[],
                                  const double weights[], const kith_options* options,
                                  MPI_Fint* reordered) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  MPI_Comm made = MPI_COMM_NULL;
  const int code = kith_reorder_graph(comm_of(comm), degree, peers, weights, options, &made);
  give(made, code, reordered);
  return code;
}

KITH_API int kith_checkpoint_f(MPI_Fint comm, const char* phase) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  return kith_checkpoint(comm_of(comm), phase);
}

/// `bottom`, `in_place`: the addresses that stand for MPI_BOTTOM and MPI_IN_PLACE in the caller's
/// language; null where it has none.
KITH_API int kith_redistribute_f(MPI_Fint from, MPI_Fint to, void* buffer, std::int64_t count,
                                 MPI_Fint type, const void* bottom, const void* in_place) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  if (buffer != nullptr && buffer == bottom) buffer = MPI_BOTTOM;
  if (buffer != nullptr && buffer == in_place) buffer = MPI_IN_PLACE;
  return kith_redistribute(comm_of(from), comm_of(to), buffer, static_cast<MPI_Count>(count),
                           type_of(type));
}

KITH_API int kith_decision_f(MPI_Fint comm, kith_report* report) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  return kith_decision(comm_of(comm), report);
}
