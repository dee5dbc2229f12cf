/* Two phases with different partners, named by kith_checkpoint, the first name twice. */
#include <kith/kith.h>

#include "check.h"

static void shift(int by, int bytes) {
  static char out[4096], in[4096];
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + by) % size, 0, in, bytes, MPI_BYTE,
               (rank + size - by) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  shift(1, 100);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "near \"1\"") == MPI_SUCCESS);
  shift(2, 1000);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "far") == MPI_SUCCESS);
  shift(1, 10);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "near \"1\"") == MPI_SUCCESS);
  shift(1, 1);
  MPI_Finalize();
  return 0;
}
