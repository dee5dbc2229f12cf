/* Even and odd ranks talk; asks for an order that suits that, and says what was decided. */
#include <kith/kith.h>

#if KITH_VERSION_NUMBER < 100 || KITH_VERSION_MAJOR * 10000 > KITH_VERSION_NUMBER
#error "kith.h does not say its version"
#endif
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + size / 2) % size, 0, &value, 1, MPI_INT,
               (rank + size / 2) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  kith_options options = KITH_OPTIONS_INIT;
  options.topology = "tree:2x2";
  MPI_Comm reordered;
  if (kith_reorder(MPI_COMM_WORLD, &options, &reordered) != MPI_SUCCESS) return 1;
  kith_report report = {.size = sizeof report};
  if (kith_decision(reordered, &report) != MPI_SUCCESS) return 1;
  if (rank == 0) printf("reordered %d: %s\n", report.reordered, report.reason);
  MPI_Comm_free(&reordered);
  MPI_Finalize();
  return 0;
}
