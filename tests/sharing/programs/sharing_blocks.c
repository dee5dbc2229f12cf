/* Threads that share memory as is known, and compute meanwhile: sharing_blocks KERNEL THREADS ROUNDS DOUBLES.
 * In each round thread i writes its block of doubles, then reads the blocks of the threads that give it
 * something, and works on what is its own. With USE_MPI, on each rank. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef USE_MPI
#include <mpi.h>
#endif

#include "support/sharing_patterns.h"

static double run(const char* kernel, int threads, int rounds, int doubles) {
  double sum = 0;
  double* const blocks = aligned_alloc(4096, (size_t)threads * doubles * sizeof(double));
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    const int self = omp_get_thread_num(), all = threads, times = rounds, size = doubles;
    double* const mine = blocks + (size_t)self * size;
    double* const own = malloc((size_t)size * sizeof(double));
    int givers[1024], count = 0;
    for (int j = 0; j < all; ++j) {
      if (gives(kernel, j, self, all)) givers[count++] = j;
    }
    for (int k = 0; k < size; ++k) own[k] = self + k;
    for (int round = 0; round < times; ++round) {
      for (int k = 0; k < size; ++k) mine[k] = own[k] + round;
#pragma omp barrier
      for (int g = 0; g < count; ++g) {
        const double* const theirs = blocks + (size_t)givers[g] * size;
        for (int k = 0; k < size; ++k) own[k] = 0.5 * own[k] + 0.25 * theirs[k];
      }
      for (int k = 1; k < size; ++k) sum += own[k] * own[k - 1] > 1 ? 1 : 0;
#pragma omp barrier
    }
    free(own);
  }
  free(blocks);
  return sum;
}

int main(int argc, char** argv) {
  if (argc != 5) return 2;
#ifdef USE_MPI
  MPI_Init(&argc, &argv);
#endif
  printf("%s: %g\n", argv[1], run(argv[1], atoi(argv[2]), atoi(argv[3]), atoi(argv[4])));
#ifdef USE_MPI
  MPI_Finalize();
#endif
  return 0;
}
