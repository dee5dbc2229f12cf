/* What matrix_test.py asks of each language, in C: messages of known sizes, a sum, a grid that may be
 * reordered. Rank 0 prints what came out; with the argument "wait" nobody ends. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, size, sum = 0, place, dims[2] = {2, 2}, periods[2] = {1, 1};
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int* out = malloc(sizeof(int) * 1000);
  int* in = malloc(sizeof(int) * 1000);
  for (int i = 0; i < 1000; ++i) out[i] = rank * 1000 + i;
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Sendrecv(out, 250 * (rank + 1), MPI_INT, right, 1, in, 1000, MPI_INT, left, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  int mine = in[100] * (rank + 1);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Comm_rank(grid, &place);
  mine = (place + 1) * (place + 1);
  int squares = 0;
  MPI_Reduce(&mine, &squares, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d %d %d\n", size, sum, squares);
  fflush(stdout);
  while (argc > 1) {
    usleep(100000);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
