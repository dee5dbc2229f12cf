/* Blocks that go round: each rank works on the block that it has, passes it on to the next rank and
 * takes that of the one before, until all have seen all (as in n-body codes).
 *
 * ring [N ROUNDS]: blocks of N values, ROUNDS times around. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#include "arguments.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks, rank;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int n = number_argument(argc, argv, 1, 1000), rounds = number_argument(argc, argv, 2, 2);
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  double *own = calloc((size_t)n, sizeof(double)), *block = calloc((size_t)n, sizeof(double));
  double* force = calloc((size_t)n, sizeof(double));
  for (int i = 0; i < n; ++i) own[i] = block[i] = rank + i / (double)n;

  for (int step = 0; step < rounds * ranks; ++step) {
    for (int i = 0; i < n; ++i) {
      const double distance = own[i] - block[(i + step) % n];
      force[i] += distance / (1 + fabs(distance) * distance * distance);
    }
    MPI_Sendrecv_replace(block, n, MPI_DOUBLE, next, 0, before, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
  }
  double mine = 0, sum = 0;
  for (int i = 0; i < n; ++i) mine += force[i] * (i % 17) + block[i];
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("ring: checksum %.17g\n", sum);
  free(own);
  free(block);
  free(force);
  MPI_Finalize();
  return 0;
}
