/* A master that hands out pieces of work: rank 0 sends each worker a piece, takes whatever result
 * comes first (MPI_ANY_SOURCE), and answers it with the next piece.
 *
 * workers [N PIECES]: pieces of N values, whose results have as many. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#include "arguments.h"

enum { work_tag, end_tag };

static double hand_out(int ranks, int n, int pieces) {
  double* const piece = calloc((size_t)n, sizeof(double));
  double sum = 0;
  int handed_out = 0, busy = 0;
  for (int worker = 1; worker < ranks; ++worker) {
    const int has_work = handed_out < pieces;
    for (int i = 0; i < n; ++i) piece[i] = handed_out + i;
    MPI_Send(piece, n, MPI_DOUBLE, worker, has_work ? work_tag : end_tag, MPI_COMM_WORLD);
    handed_out += has_work;
    busy += has_work;
  }
  while (busy > 0) {
    MPI_Status status;
    MPI_Recv(piece, n, MPI_DOUBLE, MPI_ANY_SOURCE, work_tag, MPI_COMM_WORLD, &status);
    /* Whole numbers, so that the sum is the same in any order. */
    for (int i = 0; i < n; ++i) sum += floor(piece[i]);
    const int has_work = handed_out < pieces;
    for (int i = 0; i < n; ++i) piece[i] = handed_out + i;
    MPI_Send(piece, n, MPI_DOUBLE, status.MPI_SOURCE, has_work ? work_tag : end_tag,
             MPI_COMM_WORLD);
    handed_out += has_work;
    busy -= !has_work;
  }
  free(piece);
  return sum;
}

static void work(int n) {
  double* const piece = calloc((size_t)n, sizeof(double));
  while (1) {
    MPI_Status status;
    MPI_Recv(piece, n, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == end_tag) break;
    for (int i = 0; i < n; ++i) piece[i] = 1000 * (1 + sin(piece[i]));
    MPI_Send(piece, n, MPI_DOUBLE, 0, work_tag, MPI_COMM_WORLD);
  }
  free(piece);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks, rank;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int n = number_argument(argc, argv, 1, 1000), pieces = number_argument(argc, argv, 2, 40);
  if (rank > 0) {
    work(n);
  } else {
    const double sum = hand_out(ranks, n, ranks > 1 ? pieces : 0);
    printf("workers: checksum %.17g\n", sum);
  }
  MPI_Finalize();
  return 0;
}
