/* Several threads of each rank send at once: every byte is counted once. Each of 4 threads runs 3
 * generations of short-lived helpers, as programs with many threads do. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#include "check.h"

enum { threads = 4, generations = 3, messages = 500, bytes = 11 };
static int rank, size;

static void* send_and_receive(void* argument) {
  const int tag = (int)(size_t)argument;
  char out[bytes] = {0}, in[bytes];
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < messages; ++i) {
    MPI_Request request;
    MPI_Irecv(in, bytes, MPI_BYTE, left, tag, MPI_COMM_WORLD, &request);
    MPI_Send(out, bytes, MPI_BYTE, right, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int generation = 0; generation < generations; ++generation) {
    pthread_t helpers[threads];
    for (size_t t = 0; t < threads; ++t) {
      pthread_create(&helpers[t], NULL, send_and_receive, (void*)t);
    }
    for (int t = 0; t < threads; ++t) pthread_join(helpers[t], NULL);
  }
  MPI_Finalize();
  return 0;
}
