/* Two threads make the first calls of MPI at the same time, before MPI_Init; then a message. */
#include <pthread.h>

#include "check.h"

static pthread_barrier_t both;

static void* call_first(void* unused) {
  pthread_barrier_wait(&both);
  int provided = 0;
  CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
  CHECK(MPI_T_finalize() == MPI_SUCCESS);
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
