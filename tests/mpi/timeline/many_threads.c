/* Threads that send and receive at the same time: many_threads THREADS ROUNDS. Each exchanges messages
 * with the same thread of the next rank; every second one completes what its neighbour has begun. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_threads = 64 };

static int rank, size, threads = 8, rounds = 200;
static MPI_Request handed[most_threads][2]; /* from thread i to thread i + 1 */
static int arrived[most_threads];
static pthread_barrier_t pairs[most_threads];

static void exchange(int thread, int round) {
  int out[50] = {thread, round}, in[50];
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  MPI_Request requests[2];
  MPI_Irecv(in, 50, MPI_INT, last, thread, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 10 + round % 3, MPI_INT, next, thread, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (in[0] != thread || in[1] != round) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Sendrecv(out, 5, MPI_INT, next, thread, in, 5, MPI_INT, MPI_ANY_SOURCE, thread, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

/* Begun by the even thread, completed by the odd one behind it. */
static void hand_over(int thread) {
  const int next = (rank + 1) % size, first = thread & ~1;
  if (thread == first) {
    MPI_Irecv(&arrived[first], 1, MPI_INT, MPI_ANY_SOURCE, 100 + first, MPI_COMM_WORLD,
              &handed[first][0]);
    MPI_Isend(&rank, 1, MPI_INT, next, 100 + first, MPI_COMM_WORLD, &handed[first][1]);
  }
  pthread_barrier_wait(&pairs[first]);
  if (thread != first) MPI_Waitall(2, handed[first], MPI_STATUSES_IGNORE);
  pthread_barrier_wait(&pairs[first]);
}

static void* work(void* argument) {
  const int thread = (int)(size_t)argument;
  for (int round = 0; round < rounds; ++round) {
    exchange(thread, round);
    if (round % 10 == 0) hand_over(thread);
  }
  return NULL;
}

int main(int count, char** words) {
  pthread_t started[most_threads];
  int provided = 0;
  if (count > 1) threads = atoi(words[1]);
  if (count > 2) rounds = atoi(words[2]);
  MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < threads; i += 2) pthread_barrier_init(&pairs[i], NULL, 2);
  for (size_t i = 0; i < (size_t)threads; ++i) pthread_create(&started[i], NULL, work, (void*)i);
  for (int i = 0; i < threads; ++i) pthread_join(started[i], NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d threads\n", threads);
  MPI_Finalize();
  return 0;
}
