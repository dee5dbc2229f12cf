/* The place that each rank gives to a new communicator of all ranks, in the MPI library's table of
 * handles. It is the same on all ranks as long as they hold equally many communicators. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &made);
  printf("rank %d: %d\n", rank, (int)MPI_Comm_c2f(made));
  MPI_Comm_free(&made);
  MPI_Finalize();
  return 0;
}
