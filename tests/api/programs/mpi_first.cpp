// mpi.h of C++ before kith.h, as programs have it: the target kith::kith keeps the C++ bindings of
// MPI 2 away, which would need a library of their own.
#include <mpi.h>

#include "kith/kith.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm better = MPI_COMM_NULL;
  const int status = kith_reorder(MPI_COMM_WORLD, nullptr, &better);
  if (better != MPI_COMM_NULL) MPI_Comm_free(&better);
  MPI_Finalize();
  return status == MPI_SUCCESS ? 0 : 1;
}
