/* Conjugate gradients on a square grid of ranks, as the CG kernel of the NAS Parallel Benchmarks
 * moves its data: sums along rows of ranks by messages between doubling distances, vectors
 * exchanged with the transpose partner. The matrix is dense, symmetric and made up.
 *
 * cg_transpose [N STEPS]: N unknowns on each row of ranks; 1, 4, 16, 64... ranks. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#include "arguments.h"

static int side;         /* ranks in a row of the grid */
static int row, column;  /* ours */
static int n;            /* unknowns in a segment */
static double* matrix;   /* our n x n block */
static double* incoming; /* n */

static int rank_at(int r, int c) {
  return r * side + c;
}

static double element(int i, int j) {
  return i == j ? 2.0 * side * n : cos(0.1 * abs(i - j)) * cos(0.1 * abs(i - j));
}

/* Sums `values` over our row of ranks: everybody meets everybody at doubling distances. */
static void sum_along_row(double* values, int count) {
  for (int distance = 1; distance < side; distance *= 2) {
    const int partner = rank_at(row, column ^ distance);
    MPI_Request request;
    MPI_Irecv(incoming, count, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD, &request);
    MPI_Send(values, count, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i) values[i] += incoming[i];
  }
}

/* Scalar product of vectors of which our column of ranks holds a segment. */
static double dot(const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  sum_along_row(&sum, 1);
  return sum;
}

/* result = matrix x vector: in by column, out by row, and across the diagonal to be by column. */
static void multiply(const double* vector, double* result) {
  for (int i = 0; i < n; ++i) {
    result[i] = 0;
    for (int j = 0; j < n; ++j) result[i] += matrix[i * n + j] * vector[j];
  }
  sum_along_row(result, n);
  const int partner = rank_at(column, row);
  if (row != column) {
    MPI_Sendrecv_replace(result, n, MPI_DOUBLE, partner, 2, partner, 2, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
  }
}

/* |b - matrix x solution|, by the library's own reduction over a row of ranks. */
static double residual(const double* solution, const double* b, double* scratch,
                       MPI_Comm ranks_row) {
  double mine = 0, sum;
  multiply(solution, scratch);
  for (int i = 0; i < n; ++i) mine += (b[i] - scratch[i]) * (b[i] - scratch[i]);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, ranks_row);
  return sqrt(sum);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (side = 1; side * side < ranks;) side *= 2;
  if (side * side != ranks) {
    if (rank == 0) fprintf(stderr, "cg_transpose: expected 1, 4, 16... ranks, found %d\n", ranks);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  row = rank / side;
  column = rank % side;
  n = number_argument(argc, argv, 1, 120);
  const int steps = number_argument(argc, argv, 2, 15);
  MPI_Comm ranks_row;
  MPI_Comm_split(MPI_COMM_WORLD, row, column, &ranks_row);

  const size_t length = (size_t)n;
  matrix = malloc(length * length * sizeof(double));
  incoming = malloc(length * sizeof(double));
  double* work = malloc(5 * length * sizeof(double));
  double *x = work, *r = x + n, *p = r + n, *q = p + n, *b = q + n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) matrix[i * n + j] = element(row * n + i, column * n + j);
    x[i] = 0;
    r[i] = p[i] = b[i] = 1 + (column * n + i) % 3;
  }
  double rho = dot(r, r);
  for (int s = 0; s < steps && rho > 0; ++s) {
    multiply(p, q);
    const double alpha = rho / dot(p, q);
    for (int i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double before = rho;
    rho = dot(r, r);
    for (int i = 0; i < n; ++i) p[i] = r[i] + rho / before * p[i];
  }
  const double norm = residual(x, b, q, ranks_row), checksum = dot(x, b);
  if (rank == 0) printf("cg_transpose: residual %.3g checksum %.17g\n", norm, checksum);
  free(work);
  free(incoming);
  free(matrix);
  MPI_Comm_free(&ranks_row);
  MPI_Finalize();
  return 0;
}
