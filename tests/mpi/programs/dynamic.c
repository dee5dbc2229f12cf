/* Processes of other jobs: dynamic spawn|merge|stranger|connect. Ranks send 1000 bytes to their right
 * neighbour at home (started ones 500) and 10 to rank 0 of the other job, which answers nothing.
 *
 * `stranger` starts processes without any preload and makes a grid of all, reorder=1.
 * `connect` splits the job itself: its upper half opens a port and its lower half connects, which
 * makes no foreign processes: they are of this world all the same. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { children = 2, at_home = 1000, at_childs_home = 500, abroad = 10 };
static char out[at_home], in[at_home];

static void shift(MPI_Comm comm, int bytes) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + 1) % size, 0, in, bytes, MPI_BYTE,
               (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
}

/* Everybody to rank 0 of the other group, which takes what comes. */
static void greet(MPI_Comm between) {
  int rank, others;
  MPI_Request request;
  MPI_Comm_rank(between, &rank);
  MPI_Comm_remote_size(between, &others);
  MPI_Isend(out, abroad, MPI_BYTE, 0, 1, between, &request);
  for (int i = 0; rank == 0 && i < others; ++i) {
    MPI_Recv(in, abroad, MPI_BYTE, MPI_ANY_SOURCE, 1, between, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void meet(MPI_Comm between, int is_child, const char* way) {
  shift(MPI_COMM_WORLD, is_child ? at_childs_home : at_home);
  greet(between);
  if (strcmp(way, "merge") == 0) {
    /* In the merged one ranks 0, 1... are the parents'. Each sends to the next in a ring. */
    MPI_Comm all;
    MPI_Intercomm_merge(between, is_child, &all);
    shift(all, abroad);
    MPI_Barrier(all);
    MPI_Comm_free(&all);
  }
  if (strcmp(way, "stranger") == 0) {
    MPI_Comm all, grid;
    int size, periodic = 1;
    MPI_Intercomm_merge(between, is_child, &all);
    MPI_Comm_size(all, &size);
    MPI_Cart_create(all, 1, &size, &periodic, 1, &grid);
    shift(grid, abroad);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&all);
  }
  MPI_Comm_disconnect(&between);
}

static void start(const char* program, const char* way, MPI_Comm* between) {
  const char* plain[] = {"-u", "LD_PRELOAD", program, way, NULL};
  const int is_stranger = strcmp(way, "stranger") == 0;
  MPI_Comm_spawn(is_stranger ? "env" : program, (char**)(is_stranger ? plain : plain + 3), children,
                 MPI_INFO_NULL, 0, MPI_COMM_WORLD, between, MPI_ERRCODES_IGNORE);
}

static void connect_halves(void) {
  char port[MPI_MAX_PORT_NAME];
  int rank, size;
  MPI_Comm half, between;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int upper = rank >= size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
  if (rank == size / 2) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
  } else if (rank == 0) {
    MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, size / 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (upper) {
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &between);
  } else {
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &between);
  }
  greet(between);
  MPI_Comm_disconnect(&between);
  if (rank == size / 2) MPI_Close_port(port);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  MPI_Comm parent, between;
  const char* const way = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    meet(parent, 1, way);
  } else if (strcmp(way, "connect") == 0) {
    connect_halves();
  } else {
    start(argv[0], way, &between);
    meet(between, 0, way);
  }
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && parent == MPI_COMM_NULL) printf("met\n");
  MPI_Finalize();
  return 0;
}
