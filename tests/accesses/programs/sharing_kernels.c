/* Threads that share memory as is known: sharing_kernels KERNEL THREADS ROUNDS. In each round thread i
 * writes a line of memory for each thread j that it has something for, and j reads it. With USE_MPI, on
 * each rank. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef USE_MPI
#include <mpi.h>
#endif

#include "support/sharing_patterns.h"

enum { most = 64, doubles = 8 };
typedef struct Line {
  double at[doubles];
} Line;
static Line lines[most][most] __attribute__((aligned(64)));

static double run(const char* kernel, int threads, int rounds) {
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    const int self = omp_get_thread_num(), all = threads, times = rounds;
    char to[most], from[most];
    double own[512];
    for (int j = 0; j < all; ++j) {
      to[j] = (char)gives(kernel, self, j, all);
      from[j] = (char)gives(kernel, j, self, all);
    }
    for (int round = 0; round < times; ++round) {
      for (int k = 0; k < 512; ++k) own[k] = round + k;
      for (int j = 0; j < all; ++j) {
        if (to[j]) lines[self][j].at[round % doubles] = self + own[round % 512];
      }
#pragma omp barrier
      for (int j = 0; j < all; ++j) {
        if (from[j]) sum += lines[j][self].at[round % doubles];
      }
#pragma omp barrier
    }
  }
  return sum;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
#ifdef USE_MPI
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
  printf("%s: %g\n", argv[1], run(argv[1], atoi(argv[2]), atoi(argv[3])));
#ifdef USE_MPI
  MPI_Finalize();
#endif
  return 0;
}
