/* Collectives over the world that fail on rank 1 alone, which is told so and goes on. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank = 0, failed = 0, numbers[4] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < 500; ++i) {
    const int count = rank == 1 && i % 10 == 5 ? -1 : 2;
    if (MPI_Bcast(numbers, count, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS) ++failed;
    usleep(200);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 1) {
    MPI_Send(&failed, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else if (rank == 0) {
    MPI_Recv(&failed, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d failed\n", failed);
  }
  MPI_Finalize();
  return 0;
}
