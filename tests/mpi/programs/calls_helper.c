/* A program whose helper library calls PMPI_Comm_rank itself. */
#include <mpi.h>
#include <stdio.h>

int plugin_rank(void);

int main(int argc, char **argv) {
  int rank = -1, wrong, all_wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  wrong = plugin_rank() != rank;
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong\n", all_wrong);
  MPI_Finalize();
  return 0;
}
