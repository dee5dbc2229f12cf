/* Threads that share memory as is known: sharing_kernels KERNEL THREADS ROUNDS. In each round thread i
 * writes a line of memory for each thread j that it has something for, and j reads it. With USE_MPI, on
 * each rank. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef USE_MPI
#include <mpi.h>
#endif

enum { most = 64, doubles = 8 };
typedef struct Line {
  double at[doubles];
} Line;
static Line lines[most][most] __attribute__((aligned(64)));

static int width_of(int threads) {
  int width = 1;
  while ((width + 1) * (width + 1) <= threads) ++width;
  while (threads % width != 0) --width;
  return width;
}

static int is_neighbour(int i, int j, int threads) {
  const int width = width_of(threads);
  const int across = abs(i % width - j % width), down = abs(i / width - j / width);
  return across + down == 1;
}

/* Whether thread i has something for thread j. */
static int gives(const char* kernel, int i, int j, int threads) {
  if (i == j) return 0;
  if (strcmp(kernel, "ring") == 0) return j == (i + 1) % threads;
  if (strcmp(kernel, "pairs") == 0) return j == (i ^ 1);
  if (strcmp(kernel, "producer") == 0) return i == 0;
  if (strcmp(kernel, "butterfly") == 0) return ((i ^ j) & ((i ^ j) - 1)) == 0;
  if (strcmp(kernel, "all-to-all") == 0) return 1;
  if (strcmp(kernel, "private") == 0) return 0;
  if (strcmp(kernel, "blocks") == 0) return is_neighbour(i, j, threads);
  if (strcmp(kernel, "workers") == 0) return i == 0 || j == 0;
  exit(2);
}

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
