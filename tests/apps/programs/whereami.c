/* Each rank sends "rank launcher-rank" to rank 0, which prints them in rank order. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* launched = getenv("OMPI_COMM_WORLD_RANK");
  int mine[2] = {rank, launched ? atoi(launched) : -1};
  if (rank != 0) {
    MPI_Send(mine, 2, MPI_INT, 0, 7, MPI_COMM_WORLD);
  } else {
    printf("%d %d\n", mine[0], mine[1]);
    for (int other = 1; other < size; ++other) {
      int its[2];
      MPI_Recv(its, 2, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      printf("%d %d\n", its[0], its[1]);
    }
  }
  MPI_Finalize();
  return 0;
}
