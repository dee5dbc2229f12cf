/* Sums whose last bits tell in which order the ranks' values were added: for every collective that
 * adds, several sizes and operations, one line of digits. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { sizes = 4 };
static const int counts[sizes] = {1, 100, 2000, 40000};

/* A number of the rank and the place, of many magnitudes. */
static double value(int rank, int i) {
  const unsigned mixed = (unsigned)rank * 2654435761u + (unsigned)i * 40503u + 12345u;
  return (1.0 + (mixed % 1000) / 999.0) * (1 << (mixed / 1000 % 24)) * (mixed % 2 ? 1 : -1);
}

/* Weighs places so that no two of them cancel. */
static double digest(const double* sums, int count) {
  double total = 0;
  for (int i = 0; i < count; ++i) total = total * 0.999 + sums[i];
  return total;
}

static void report(const char* what, int count, const double* sums, int length) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double mine = digest(sums, length);
  double* const all = malloc((size_t)ranks * sizeof(double));
  MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int r = 0; rank == 0 && r < ranks; ++r) printf("%s %d rank %d %a\n", what, count, r, all[r]);
  free(all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int s = 0; s < sizes; ++s) {
    const int n = counts[s];
    double* const mine = malloc((size_t)n * (size_t)ranks * sizeof(double));
    double* const sums = calloc((size_t)n * (size_t)ranks, sizeof(double));
    for (int i = 0; i < n * ranks; ++i) mine[i] = value(rank, i);
    MPI_Allreduce(mine, sums, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("allreduce", n, sums, n);
    MPI_Request request;
    MPI_Iallreduce(mine, sums, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    report("iallreduce", n, sums, n);
    for (int root = 0; root < ranks; root += ranks > 1 ? ranks - 1 : 1) {
      MPI_Reduce(mine, sums, n, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
      report("reduce", n, sums, n);
    }
    MPI_Reduce_scatter_block(mine, sums, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("reduce_scatter_block", n, sums, n);
    MPI_Scan(mine, sums, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("scan", n, sums, n);
    free(mine);
    free(sums);
  }
  MPI_Finalize();
  return 0;
}
