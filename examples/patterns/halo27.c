/* Multigrid's talk: bricks of a box with walls exchange with up to 26 neighbours, on finer and
 * coarser levels.
 *
 * halo27 [PX PY PZ N STEPS LEVELS]: PX x PY x PZ ranks, all of them; N x N x N points on each rank.
 * A step visits LEVELS levels, each with half as many points a side as the one before. One level of
 * many points is like HPCG, several that end with single points are like algebraic multigrid. */
#include <mpi.h>
#include <stdio.h>

#include "arguments.h"

enum { sides = 27, centre = 13 };

typedef struct {
  int neighbour[sides]; /* MPI_PROC_NULL at a wall, and at the centre */
  int place;
} Brick;

static int wanted(int place, int extent) {
  return place >= 0 && place < extent;
}

/* Side (dx, dy, dz), each -1 .. 1, is number 9 (dx + 1) + 3 (dy + 1) + dz + 1. */
static void find_neighbours(Brick* brick, const int extent[3]) {
  const int x = brick->place / (extent[1] * extent[2]), y = brick->place / extent[2] % extent[1],
            z = brick->place % extent[2];
  for (int side = 0; side < sides; ++side) {
    const int dx = side / 9 - 1, dy = side / 3 % 3 - 1, dz = side % 3 - 1;
    const int there = wanted(x + dx, extent[0]) && wanted(y + dy, extent[1]) &&
                      wanted(z + dz, extent[2]) && side != centre;
    brick->neighbour[side] =
        there ? ((x + dx) * extent[1] + y + dy) * extent[2] + z + dz : MPI_PROC_NULL;
  }
}

/* A face has n x n points, an edge n, a corner one. */
static int points_of(int side, int n) {
  const int across = (side / 9 != 1) + (side / 3 % 3 != 1) + (side % 3 != 1);
  return across == 1 ? n * n : across == 2 ? n : 1;
}

/* The sum of what came in, on one level. */
static double exchange(const Brick* brick, int n, double value, double* out, double* in) {
  const size_t most = (size_t)n * (size_t)n;
  MPI_Request request[2 * sides];
  for (int side = 0; side < sides; ++side) {
    MPI_Irecv(in + (size_t)side * most, points_of(side, n), MPI_DOUBLE, brick->neighbour[side],
              sides - 1 - side, MPI_COMM_WORLD, &request[side]);
  }
  for (int side = 0; side < sides; ++side) {
    double* to = out + (size_t)side * most;
    for (int i = 0; i < points_of(side, n); ++i) to[i] = value + side + i % 3;
    MPI_Isend(to, points_of(side, n), MPI_DOUBLE, brick->neighbour[side], side, MPI_COMM_WORLD,
              &request[sides + side]);
  }
  MPI_Waitall(2 * sides, request, MPI_STATUSES_IGNORE);
  double sum = 0;
  for (int side = 0; side < sides; ++side) {
    if (brick->neighbour[side] == MPI_PROC_NULL) continue;
    for (int i = 0; i < points_of(side, n); ++i) sum += in[(size_t)side * most + (size_t)i];
  }
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Brick brick;
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &brick.place);
  const int extent[3] = {number_argument(argc, argv, 1, ranks), number_argument(argc, argv, 2, 1),
                         number_argument(argc, argv, 3, 1)};
  const int n = number_argument(argc, argv, 4, 8), steps = number_argument(argc, argv, 5, 10),
            levels = number_argument(argc, argv, 6, 1);
  if (extent[0] * extent[1] * extent[2] != ranks) {
    if (brick.place == 0) {
      fprintf(stderr, "halo27: expected PX x PY x PZ = %d ranks, found %d x %d x %d\n", ranks,
              extent[0], extent[1], extent[2]);
    }
    MPI_Finalize();
    return 2;
  }
  find_neighbours(&brick, extent);
  const size_t points = (size_t)sides * (size_t)n * (size_t)n;
  double *out = malloc(points * sizeof(double)), *in = malloc(points * sizeof(double));
  double value = brick.place % 5, norm = 0;
  for (int s = 0; s < steps; ++s) {
    int side = n;
    for (int level = 0; level<levels; ++level, side = side> 1 ? side / 2 : 1) {
      value = (double)((long long)exchange(&brick, side, value, out, in) % 1009);
    }
    MPI_Allreduce(&value, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (brick.place == 0) printf("halo27: checksum %.17g\n", norm);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
