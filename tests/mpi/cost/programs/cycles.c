/* The same again and again: what Kith asks of MPI meanwhile can be counted by the cycle.
 *
 * cycles WHAT COUNT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static int size;

/* A message to the right on `comm`. */
static void pass(MPI_Comm comm) {
  int got = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size,
               0, comm, MPI_STATUS_IGNORE);
}

static void dup_and_free(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_free(&comm);
  pass(MPI_COMM_WORLD);
}

static void split_and_free(void) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
  MPI_Comm_free(&comm);
  pass(MPI_COMM_WORLD);
}

static void graph_and_free(void) {
  const int left = (rank + size - 1) % size;
  const int right = (rank + 1) % size;
  const int weight = 1;
  MPI_Comm comm;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, &weight, 1, &right, &weight,
                                 MPI_INFO_NULL, 0, &comm);
  MPI_Comm_free(&comm);
  pass(MPI_COMM_WORLD);
}

static void start_and_wait(void) {
  int got = -1;
  MPI_Request requests[2];
  MPI_Send_init(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&got, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void send(void) {
  pass(MPI_COMM_WORLD);
}

static void reduce(void) {
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* For the counter of calls, where it is loaded: what MPI_Init and MPI_Finalize ask while they wait
 * for other ranks depends on how long these take. */
static void count_calls(int on) {
  void (*const count)(int) = (void (*)(int))(uintptr_t)dlsym(RTLD_DEFAULT, "count_calls");
  if (count != NULL) count(on);
}

static const struct {
  const char* name;
  void (*cycle)(void);
} all[] = {{"dup", dup_and_free},
           {"split", split_and_free},
           {"graph", graph_and_free},
           {"persist", start_and_wait},
           {"send", send},
           {"reduce", reduce}};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int count = argc > 2 ? atoi(argv[2]) : 1;
  double began = -1;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    if (argc < 2 || strcmp(argv[1], all[i].name) != 0) continue;
    for (int warm = 0; warm < 10; ++warm) all[i].cycle();
    count_calls(1);
    began = MPI_Wtime();
    for (int done = 0; done < count; ++done) all[i].cycle();
    count_calls(0);
  }
  const double each = (MPI_Wtime() - began) / count;
  if (began < 0) MPI_Abort(MPI_COMM_WORLD, 2);
  if (rank == 0 && argc > 3) printf("%.3f us\n", each * 1e6);
  MPI_Finalize();
  return 0;
}
