/* Heat on a torus: a 2D field in rectangles, each exchanging its border with four neighbours.
 *
 * halo2d [NX NY STEPS] [persistent]: NX x NY points on each rank. `persistent` makes the requests
 * once and starts them in every step. */
#include <mpi.h>
#include <stdio.h>

#include "arguments.h"

enum { neighbours = 4, requests = 2 * neighbours };

typedef struct {
  MPI_Comm grid;
  int nx, ny;
  int peer[neighbours]; /* down, up (first dimension), left, right (second dimension) */
  MPI_Datatype column;
} Block;

/* The field with a border one point wide. */
static double* point(const Block* block, double* field, int x, int y) {
  return field + x * (block->ny + 2) + y;
}

static void make_block(Block* block, int nx, int ny) {
  int ranks, dims[2] = {0, 0}, periodic[2] = {1, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &block->grid);
  MPI_Cart_shift(block->grid, 0, 1, &block->peer[0], &block->peer[1]);
  MPI_Cart_shift(block->grid, 1, 1, &block->peer[2], &block->peer[3]);
  block->nx = nx;
  block->ny = ny;
  MPI_Type_vector(nx, 1, ny + 2, MPI_DOUBLE, &block->column);
  MPI_Type_commit(&block->column);
}

typedef int (*Transfer)(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static int send_now(void* b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c, MPI_Request* r) {
  return MPI_Isend(b, n, t, peer, tag, c, r);
}
static int send_later(void* b, int n, MPI_Datatype t, int peer, int tag, MPI_Comm c,
                      MPI_Request* r) {
  return MPI_Send_init(b, n, t, peer, tag, c, r);
}

/* Posts, or prepares, the exchange of the border of `field`. A message's tag is the side that it
 * leaves from. */
static void border(const Block* block, double* field, Transfer receive, Transfer send,
                   MPI_Request request[requests]) {
  const int nx = block->nx, ny = block->ny;
  double* const inner[neighbours] = {point(block, field, 1, 1), point(block, field, nx, 1),
                                     point(block, field, 1, 1), point(block, field, 1, ny)};
  double* const outer[neighbours] = {point(block, field, 0, 1), point(block, field, nx + 1, 1),
                                     point(block, field, 1, 0), point(block, field, 1, ny + 1)};
  for (int side = 0; side < neighbours; ++side) {
    const MPI_Datatype type = side < 2 ? MPI_DOUBLE : block->column;
    const int count = side < 2 ? ny : 1, opposite = side ^ 1;
    receive(outer[side], count, type, block->peer[side], opposite, block->grid, &request[side]);
    send(inner[side], count, type, block->peer[side], side, block->grid,
         &request[neighbours + side]);
  }
}

static void step(const Block* block, double* from, double* to) {
  for (int x = 1; x <= block->nx; ++x) {
    for (int y = 1; y <= block->ny; ++y) {
      const double around = *point(block, from, x - 1, y) + *point(block, from, x + 1, y) +
                            *point(block, from, x, y - 1) + *point(block, from, x, y + 1);
      *point(block, to, x, y) = 0.5 * *point(block, from, x, y) + 0.125 * around;
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Block block;
  make_block(&block, number_argument(argc, argv, 1, 48), number_argument(argc, argv, 2, 32));
  const int steps = number_argument(argc, argv, 3, 20);
  const int persistent = has_argument(argc, argv, "persistent");
  int rank;
  MPI_Comm_rank(block.grid, &rank);

  const size_t points = (size_t)(block.nx + 2) * (size_t)(block.ny + 2);
  double* field[2] = {calloc(points, sizeof(double)), calloc(points, sizeof(double))};
  for (int x = 1; x <= block.nx; ++x) {
    for (int y = 1; y <= block.ny; ++y) *point(&block, field[0], x, y) = (rank + 1) * x % 7 + y % 5;
  }
  MPI_Request request[2][requests];
  for (int i = 0; persistent && i < 2; ++i) {
    border(&block, field[i], MPI_Recv_init, send_later, request[i]);
  }
  for (int s = 0; s < steps; ++s) {
    const int now = s % 2;
    if (persistent) {
      MPI_Startall(requests, request[now]);
    } else {
      border(&block, field[now], MPI_Irecv, send_now, request[now]);
    }
    MPI_Waitall(requests, request[now], MPI_STATUSES_IGNORE);
    step(&block, field[now], field[1 - now]);
  }
  for (int i = 0; persistent && i < 2 * requests; ++i) {
    MPI_Request_free(&request[i / requests][i % requests]);
  }

  double mine = 0, sum = 0;
  for (int x = 1; x <= block.nx; ++x) {
    for (int y = 1; y <= block.ny; ++y) mine += x * *point(&block, field[steps % 2], x, y);
  }
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, block.grid);
  if (rank == 0) printf("halo2d: checksum %.17g\n", sum);
  free(field[0]);
  free(field[1]);
  MPI_Type_free(&block.column);
  MPI_Comm_free(&block.grid);
  MPI_Finalize();
  return 0;
}
