/* Reordering in the middle of a run: phases are told apart, the order is chosen by the last one
 * only, and each rank's field moves to the process that is that rank from now on. */
#include "pairs.h"

enum { cells = 500 };

/* Depends on which rank holds which field, not on which process is that rank. */
static double checksum(MPI_Comm comm, const double* field) {
  int rank;
  double mine = 0, sum;
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < cells; ++i) mine += field[i] * (rank + 1);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double field[cells];
  for (int i = 0; i < cells; ++i) field[i] = rank * cells + i;
  const double before = checksum(MPI_COMM_WORLD, field);
  kith_checkpoint(MPI_COMM_WORLD, "set-up"); /* what was sent until here is not typical */

  for (int step = 0; step < 4; ++step) pairs_exchange(MPI_COMM_WORLD);

  kith_options options = KITH_OPTIONS_INIT;
  options.since_checkpoint = 1;
  options.state_bytes = sizeof field; /* moving has a price, ... */
  options.remaining = 9;              /* ... and nine times as much is still to come */
  MPI_Comm better;
  kith_reorder(MPI_COMM_WORLD, &options, &better);
  kith_redistribute(MPI_COMM_WORLD, better, field, cells, MPI_DOUBLE);
  kith_checkpoint(better, "steps");
  pairs_show(better);

  const double after = checksum(better, field);
  MPI_Comm_rank(better, &rank); /* whatever follows from the rank has to be derived again */
  if (rank == 0) printf("checksums %.0f %.0f\n", before, after);
  MPI_Comm_free(&better);
  MPI_Finalize();
  return 0;
}
