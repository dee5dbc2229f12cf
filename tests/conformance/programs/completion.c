/* Waiting, testing, cancelling; requests that are started again and again. */
#include "conformance.h"

static void wait_for_some(void) {
  MPI_Request* requests = malloc(2 * sizeof *requests * (size_t)size);
  int *out = malloc(sizeof(int) * (size_t)size), *in = malloc(sizeof(int) * (size_t)size);
  int* order = malloc(sizeof(int) * (size_t)size);
  MPI_Status* statuses = malloc(sizeof *statuses * (size_t)size);
  for (int way = 0; way < 4; ++way) {
    int done = 0, sum = 0, sources = 0;
    for (int i = 0; i < size; ++i) {
      out[i] = 100 * rank + i;
      MPI_Irecv(&in[i], 1, MPI_INT, i, way, MPI_COMM_WORLD, &requests[i]);
      MPI_Isend(&out[i], 1, MPI_INT, i, way, MPI_COMM_WORLD, &requests[size + i]);
    }
    while (done < size) {
      int count = 0, found = 0;
      if (way == 0) {
        MPI_Waitany(size, requests, order, statuses);
        count = 1;
      } else if (way == 1) {
        MPI_Waitsome(size, requests, &count, order, statuses);
      } else if (way == 2) {
        MPI_Testany(size, requests, order, &found, statuses);
        count = found ? 1 : 0;
      } else {
        MPI_Testsome(size, requests, &count, order, statuses);
      }
      for (int k = 0; k < count; ++k) {
        sum += in[order[k]] * (order[k] + 1);
        sources += statuses[k].MPI_SOURCE == order[k];
      }
      done += count;
    }
    MPI_Waitall(size, requests + size, MPI_STATUSES_IGNORE);
    tell("way %d: sum %d, %d sources as expected", way, sum, sources);
  }
  free(statuses);
  free(order);
  free(in);
  free(out);
  free(requests);
}

static void tests(void) {
  int out = rank, in = -1, flag = 0, before;
  MPI_Request request, both[2];
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, left(1), 1, MPI_COMM_WORLD, &request);
  MPI_Request_get_status(request, &before, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&out, 1, MPI_INT, right(1), 1, MPI_COMM_WORLD);
  while (!flag) MPI_Request_get_status(request, &flag, &status);
  MPI_Test(&request, &flag, &status);
  tell("not yet: %d; then %d from %d, request gone: %d", !before, in, status.MPI_SOURCE,
       request == MPI_REQUEST_NULL);
  MPI_Irecv(&in, 1, MPI_INT, left(2), 2, MPI_COMM_WORLD, &both[0]);
  MPI_Isend(&out, 1, MPI_INT, right(2), 2, MPI_COMM_WORLD, &both[1]);
  for (flag = 0; !flag;) MPI_Testall(2, both, &flag, MPI_STATUSES_IGNORE);
  tell("testall: %d", in);
  MPI_Irecv(&in, 1, MPI_INT, left(1), 99, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  tell("cancelled: %d", flag);
}

static void persistent(void) {
  static int (*const kinds[])(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = {
      MPI_Send_init, MPI_Ssend_init, MPI_Rsend_init, MPI_Bsend_init};
  enum { rounds = 3, kind_count = 4 };
  MPI_Request sends[kind_count], receives[kind_count];
  int out[kind_count], in[kind_count];
  const int room = kind_count * ((int)sizeof(int) + MPI_BSEND_OVERHEAD);
  void* buffer = malloc((size_t)room);
  int detached;
  MPI_Buffer_attach(buffer, room);
  for (int kind = 0; kind < kind_count; ++kind) {
    kinds[kind](&out[kind], 1, MPI_INT, right(kind), kind, MPI_COMM_WORLD, &sends[kind]);
    MPI_Recv_init(&in[kind], 1, MPI_INT, left(kind), kind, MPI_COMM_WORLD, &receives[kind]);
  }
  for (int round = 0; round < rounds; ++round) {
    for (int kind = 0; kind < kind_count; ++kind) out[kind] = 1000 * round + 10 * rank + kind;
    MPI_Startall(kind_count, receives);
    MPI_Barrier(MPI_COMM_WORLD); /* for the ready send */
    for (int kind = 0; kind < kind_count; ++kind) MPI_Start(&sends[kind]);
    MPI_Waitall(kind_count, sends, MPI_STATUSES_IGNORE);
    MPI_Waitall(kind_count, receives, MPI_STATUSES_IGNORE);
    tell("round %d: %d %d %d %d", round, in[0], in[1], in[2], in[3]);
  }
  for (int kind = 0; kind < kind_count; ++kind) {
    MPI_Request_free(&sends[kind]);
    MPI_Request_free(&receives[kind]);
  }
  MPI_Buffer_detach(&buffer, &detached);
  free(buffer);
}

void completion(void) {
  wait_for_some();
  tests();
  persistent();
}
