/* Diffusion in a box: a 3D field in bricks, each exchanging its faces with up to six neighbours.
 *
 * halo3d [N STEPS] [persistent]: N x N x N points on each rank; the box has walls, so ranks at its
 * border have fewer neighbours. `persistent` makes the requests once and starts them every step. */
#include <mpi.h>
#include <stdio.h>

#include "arguments.h"

enum { faces = 6, requests = 2 * faces };

typedef struct {
  MPI_Comm grid;
  int n;
  int peer[faces];           /* below and above in each dimension; MPI_PROC_NULL at a wall */
  MPI_Datatype inner[faces]; /* what leaves through a face, */
  MPI_Datatype outer[faces]; /* and where what enters goes */
} Brick;

static size_t place(const Brick* brick, int x, int y, int z) {
  const size_t side = (size_t)brick->n + 2;
  return ((size_t)x * side + (size_t)y) * side + (size_t)z;
}

/* The layer of points at `depth` in `dimension`, without its rim. */
static MPI_Datatype layer(int n, int dimension, int depth) {
  int whole[3] = {n + 2, n + 2, n + 2}, part[3] = {n, n, n}, start[3] = {1, 1, 1};
  part[dimension] = 1;
  start[dimension] = depth;
  MPI_Datatype type;
  MPI_Type_create_subarray(3, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

static void make_brick(Brick* brick, int n) {
  int ranks, dims[3] = {0, 0, 0}, periodic[3] = {0, 0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periodic, 0, &brick->grid);
  brick->n = n;
  for (int d = 0; d < 3; ++d) {
    MPI_Cart_shift(brick->grid, d, 1, &brick->peer[2 * d], &brick->peer[2 * d + 1]);
    brick->inner[2 * d] = layer(n, d, 1);
    brick->inner[2 * d + 1] = layer(n, d, n);
    brick->outer[2 * d] = layer(n, d, 0);
    brick->outer[2 * d + 1] = layer(n, d, n + 1);
  }
}

static void free_brick(Brick* brick) {
  for (int f = 0; f < faces; ++f) {
    MPI_Type_free(&brick->inner[f]);
    MPI_Type_free(&brick->outer[f]);
  }
  MPI_Comm_free(&brick->grid);
}

static void exchange(const Brick* brick, double* field, MPI_Request request[requests]) {
  for (int f = 0; f < faces; ++f) {
    MPI_Irecv(field, 1, brick->outer[f], brick->peer[f], f ^ 1, brick->grid, &request[f]);
  }
  for (int f = 0; f < faces; ++f) {
    MPI_Isend(field, 1, brick->inner[f], brick->peer[f], f, brick->grid, &request[faces + f]);
  }
}

static void prepare(const Brick* brick, double* field, MPI_Request request[requests]) {
  for (int f = 0; f < faces; ++f) {
    MPI_Recv_init(field, 1, brick->outer[f], brick->peer[f], f ^ 1, brick->grid, &request[f]);
    MPI_Send_init(field, 1, brick->inner[f], brick->peer[f], f, brick->grid, &request[faces + f]);
  }
}

static void step(const Brick* brick, const double* from, double* to) {
  const int n = brick->n;
  for (int x = 1; x <= n; ++x) {
    for (int y = 1; y <= n; ++y) {
      for (int z = 1; z <= n; ++z) {
        const double around = from[place(brick, x - 1, y, z)] + from[place(brick, x + 1, y, z)] +
                              from[place(brick, x, y - 1, z)] + from[place(brick, x, y + 1, z)] +
                              from[place(brick, x, y, z - 1)] + from[place(brick, x, y, z + 1)];
        to[place(brick, x, y, z)] = 0.25 * from[place(brick, x, y, z)] + 0.125 * around;
      }
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Brick brick;
  make_brick(&brick, number_argument(argc, argv, 1, 12));
  const int steps = number_argument(argc, argv, 2, 20), n = brick.n;
  const int persistent = has_argument(argc, argv, "persistent");
  int rank;
  MPI_Comm_rank(brick.grid, &rank);

  const size_t points = place(&brick, n + 1, n + 1, n + 1) + 1;
  double* field[2] = {calloc(points, sizeof(double)), calloc(points, sizeof(double))};
  for (int x = 1; x <= n; ++x) {
    for (int y = 1; y <= n; ++y) {
      for (int z = 1; z <= n; ++z) field[0][place(&brick, x, y, z)] = (rank + x) % 7 + y * z % 5;
    }
  }
  MPI_Request request[2][requests];
  for (int i = 0; persistent && i < 2; ++i) prepare(&brick, field[i], request[i]);
  for (int s = 0; s < steps; ++s) {
    const int now = s % 2;
    if (persistent) {
      MPI_Startall(requests, request[now]);
    } else {
      exchange(&brick, field[now], request[now]);
    }
    MPI_Waitall(requests, request[now], MPI_STATUSES_IGNORE);
    step(&brick, field[now], field[1 - now]);
    /* As solvers do: how far are we? */
    double corner = field[1 - now][place(&brick, 1, 1, 1)], largest;
    if (s % 10 == 9) MPI_Allreduce(&corner, &largest, 1, MPI_DOUBLE, MPI_MAX, brick.grid);
  }
  for (int i = 0; persistent && i < 2 * requests; ++i) {
    MPI_Request_free(&request[i / requests][i % requests]);
  }

  double mine = 0, sum = 0;
  for (int x = 1; x <= n; ++x) {
    for (int y = 1; y <= n; ++y) {
      for (int z = 1; z <= n; ++z) mine += (x + z) * field[steps % 2][place(&brick, x, y, z)];
    }
  }
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, brick.grid);
  if (rank == 0) printf("halo3d: checksum %.17g\n", sum);
  free(field[0]);
  free(field[1]);
  free_brick(&brick);
  MPI_Finalize();
  return 0;
}
