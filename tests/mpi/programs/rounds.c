/* Rounds of messages with a collective over the world after each; the first half goes to the next
 * rank, the second half to the one after that.
 *
 * rounds ROUNDS MILLISECONDS [all|even|work|thread|raise|own|alone]: a pause in each round. In the middle, all or the
 * even ranks call MPI_Pcontrol (`work`: all, after 0.3 s of computation; `thread`: that in a thread of its
 * own, for which they wait), or rank 1 raises SIGUSR1; `own`: all do, and handle it themselves. `alone`:
 * without the collectives. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"

enum { bytes = 100 };

static void ignore(int number) {
  (void)number;
}

static void compute(double seconds) {
  const clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
  while (clock() < end) continue;
}

static void* work(void* nothing) {
  compute(0.3);
  return nothing;
}

static void mark(const char* who, int rank) {
  const int works = strcmp(who, "work") == 0;
  if (works) compute(0.3);
  if (strcmp(who, "thread") == 0) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, work, NULL) == 0 && pthread_join(thread, NULL) == 0);
  }
  if (works || strcmp(who, "all") == 0 || (strcmp(who, "even") == 0 && rank % 2 == 0)) MPI_Pcontrol(1);
  if (strcmp(who, "raise") == 0 && rank == 1) raise(SIGUSR1);
  if (strcmp(who, "own") == 0) raise(SIGUSR1);
}

int main(int argc, char** argv) {
  char out[bytes] = {0}, in[bytes];
  int rank, size;
  CHECK(argc >= 3);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 3 && strcmp(argv[3], "own") == 0) signal(SIGUSR1, ignore);
  const int rounds = atoi(argv[1]);
  const struct timespec pause = {0, atol(argv[2]) * 1000000};
  for (int round = 0; round < rounds; ++round) {
    if (round == rounds / 2) mark(argc > 3 ? argv[3] : "", rank);
    const int by = round < rounds / 2 ? 1 : 2;
    MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + by) % size, 0, in, bytes, MPI_BYTE,
                 (rank + size - by) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    nanosleep(&pause, NULL);
    if (argc < 4 || strcmp(argv[3], "alone") != 0) MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
