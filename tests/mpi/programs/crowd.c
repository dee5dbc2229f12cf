/* Threads of each rank that do everything at once: messages, persistent ones, collectives on
 * communicators of their own, puts and gets.
 *
 * crowd ROUNDS [THREADS]: ROUNDS of each thread (4, at most 64); 0 only makes communicators and
 * windows. Built with RACY, the threads share a number without a lock, for a tool that should find that. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#include "check.h"

enum { most_threads = 64, sent = 10, started = 20, reduced = 8, put = 40, got = 80 };
static int rank, size, right, left, rounds, threads = 4;
#ifdef RACY
static int shared;
#endif

typedef struct {
  int number;
  MPI_Comm comm;
  MPI_Win window;
  char memory[put + got];
} Part;

static void messages(const Part* part) {
  char out[sent] = {0}, in[sent];
  MPI_Sendrecv(out, sent, MPI_BYTE, right, part->number, in, sent, MPI_BYTE, left, part->number,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void starts(MPI_Request pair[2]) {
  MPI_Startall(2, pair);
  MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
}

static void one_sided(const Part* part) {
  char out[put] = {0}, in[got];
  MPI_Win_lock(MPI_LOCK_SHARED, right, 0, part->window);
  MPI_Put(out, put, MPI_BYTE, right, 0, put, MPI_BYTE, part->window);
  MPI_Get(in, got, MPI_BYTE, right, put, got, MPI_BYTE, part->window);
  MPI_Win_unlock(right, part->window);
}

static void* work(void* argument) {
  const Part* const part = argument;
  char out[started] = {0}, in[started];
  MPI_Request pair[2];
  MPI_Recv_init(in, started, MPI_BYTE, left, 100 + part->number, MPI_COMM_WORLD, &pair[0]);
  MPI_Send_init(out, started, MPI_BYTE, right, 100 + part->number, MPI_COMM_WORLD, &pair[1]);
  for (int round = 0; round < rounds; ++round) {
    double mine = round, sum;
#ifdef RACY
    ++shared;
#endif
    messages(part);
    starts(pair);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, part->comm);
    CHECK(sum == mine * size);
    one_sided(part);
  }
  MPI_Request_free(&pair[0]);
  MPI_Request_free(&pair[1]);
  return NULL;
}

int main(int argc, char** argv) {
  static Part parts[most_threads];
  pthread_t helpers[most_threads];
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  CHECK(argc == 2 || argc == 3);
  rounds = atoi(argv[1]);
  if (argc == 3) threads = atoi(argv[2]);
  CHECK(threads > 0 && threads <= most_threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  for (int t = 0; t < threads; ++t) {
    parts[t].number = t;
    MPI_Comm_dup(MPI_COMM_WORLD, &parts[t].comm);
    MPI_Win_create(parts[t].memory, put + got, 1, MPI_INFO_NULL, parts[t].comm, &parts[t].window);
  }
  for (int t = 0; t < threads; ++t) pthread_create(&helpers[t], NULL, work, &parts[t]);
  for (int t = 0; t < threads; ++t) pthread_join(helpers[t], NULL);
  for (int t = 0; t < threads; ++t) {
    MPI_Win_free(&parts[t].window);
    MPI_Comm_free(&parts[t].comm);
  }
  MPI_Finalize();
  return 0;
}
