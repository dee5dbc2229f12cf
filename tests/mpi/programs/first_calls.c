/* Two threads make Kith look for the MPI library at the same time, before MPI_Init; then a message.
 * (Not by MPI_T_init_thread: Open MPI 4.1 crashes under ThreadSanitizer when two threads call it.) */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

#include "check.h"

typedef int decision_function(MPI_Comm comm, void* report);

static pthread_barrier_t both;

static void* call_first(void* unused) {
  decision_function* const decision =
      __extension__(decision_function*) dlsym(RTLD_DEFAULT, "kith_decision");
  CHECK(decision != NULL);
  pthread_barrier_wait(&both);
  CHECK(decision(MPI_COMM_NULL, NULL) != MPI_SUCCESS);
  return unused;
}

int main(int argc, char** argv) {
  pthread_t threads[2];
  pthread_barrier_init(&both, NULL, 2);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, call_first, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0, got = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = (rank + size - 1) % size;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK(got == left);
  MPI_Finalize();
  return 0;
}
