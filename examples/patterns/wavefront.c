/* Sweeps through a field from corner to corner: each rank waits for its northern and western
 * neighbours, works, and passes its borders on to the south and the east; then the way back.
 *
 * wavefront [N BLOCKS SWEEPS]: N x N values a rank, which go in BLOCKS layers, each of which has N
 * values on a border. */
#include <mpi.h>
#include <stdio.h>

#include "arguments.h"

typedef struct {
  MPI_Comm grid;
  int north, south, west, east; /* MPI_PROC_NULL at the edge */
  int n;
  double *field, *from_north, *from_west;
} Part;

static void work(const Part* part, int layer) {
  const int n = part->n;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double north = i > 0 ? part->field[(i - 1) * n + j] : part->from_north[j];
      const double west = j > 0 ? part->field[i * n + j - 1] : part->from_west[i];
      double* const here = &part->field[i * n + j];
      *here = 0.25 * *here + 0.35 * north + 0.35 * west + 1e-3 * layer;
    }
  }
  for (int i = 0; i < n; ++i) part->from_west[i] = part->field[i * n + n - 1];
  for (int j = 0; j < n; ++j) part->from_north[j] = part->field[(n - 1) * n + j];
}

/* All layers, one after the other, so that ranks further on work on earlier layers meanwhile. */
static void sweep(const Part* part, int layers, int back) {
  const int north = back ? part->south : part->north, south = back ? part->north : part->south;
  const int west = back ? part->east : part->west, east = back ? part->west : part->east;
  for (int layer = 0; layer < layers; ++layer) {
    for (int i = 0; i < part->n; ++i) part->from_north[i] = part->from_west[i] = 1;
    MPI_Recv(part->from_north, part->n, MPI_DOUBLE, north, 0, part->grid, MPI_STATUS_IGNORE);
    MPI_Recv(part->from_west, part->n, MPI_DOUBLE, west, 1, part->grid, MPI_STATUS_IGNORE);
    work(part, layer);
    MPI_Send(part->from_north, part->n, MPI_DOUBLE, south, 0, part->grid);
    MPI_Send(part->from_west, part->n, MPI_DOUBLE, east, 1, part->grid);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks, rank, sides[2] = {0, 0};
  const int walls[2] = {0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Part part = {.n = number_argument(argc, argv, 1, 64)};
  const int layers = number_argument(argc, argv, 2, 10), sweeps = number_argument(argc, argv, 3, 4);
  MPI_Dims_create(ranks, 2, sides);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, walls, 0, &part.grid);
  MPI_Comm_rank(part.grid, &rank);
  MPI_Cart_shift(part.grid, 0, 1, &part.north, &part.south);
  MPI_Cart_shift(part.grid, 1, 1, &part.west, &part.east);
  const size_t n = (size_t)part.n;
  part.field = calloc(n * n, sizeof(double));
  part.from_north = calloc(n, sizeof(double));
  part.from_west = calloc(n, sizeof(double));
  for (size_t i = 0; i < n * n; ++i) part.field[i] = (double)(i % 11) + rank;

  for (int s = 0; s < sweeps; ++s) sweep(&part, layers, s % 2);
  double mine = 0, sum = 0;
  for (size_t i = 0; i < n * n; ++i) mine += (double)(i % 17) * part.field[i];
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, part.grid);
  if (rank == 0) printf("wavefront: checksum %.17g\n", sum);
  free(part.field);
  free(part.from_north);
  free(part.from_west);
  MPI_Comm_free(&part.grid);
  MPI_Finalize();
  return 0;
}
