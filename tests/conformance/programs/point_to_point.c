/* Sends of every kind, receives, probes, and packing for a communicator. */
#include "conformance.h"

static int out, in;

/* Each kind of blocking send once around the ring, against a receive that was posted before: a
 * ready send needs it. */
static void send_modes(void) {
  static int (*const modes[])(const void*, int, MPI_Datatype, int, int, MPI_Comm) = {
      MPI_Send, MPI_Ssend, MPI_Rsend, MPI_Bsend};
  const int room = sizeof(int) + MPI_BSEND_OVERHEAD;
  void* buffer = malloc((size_t)room);
  int detached = 0;
  MPI_Buffer_attach(buffer, room);
  for (int mode = 0; mode < 4; ++mode) {
    MPI_Request request;
    MPI_Status status;
    out = 10 * rank + mode;
    MPI_Irecv(&in, 1, MPI_INT, left(mode + 1), mode, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    modes[mode](&out, 1, MPI_INT, right(mode + 1), mode, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    tell("send mode %d: %d from %d with tag %d", mode, in, status.MPI_SOURCE, status.MPI_TAG);
  }
  MPI_Buffer_detach(&buffer, &detached);
  tell("the buffer is back: %d", detached == room);
  free(buffer);
}

static void nonblocking_modes(void) {
  static int (*const modes[])(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = {
      MPI_Isend, MPI_Issend, MPI_Irsend, MPI_Ibsend};
  const int room = sizeof(int) + MPI_BSEND_OVERHEAD;
  void* buffer = malloc((size_t)room);
  MPI_Buffer_attach(buffer, room);
  for (int mode = 0; mode < 4; ++mode) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    out = 20 * rank + mode;
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, mode, MPI_COMM_WORLD, &requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    modes[mode](&out, 1, MPI_INT, right(mode + 2), mode, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    tell("nonblocking mode %d: %d from %d", mode, in, statuses[0].MPI_SOURCE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Buffer_detach(&buffer, &out);
  free(buffer);
}

static void exchanges(void) {
  MPI_Status status;
  out = 300 + rank;
  MPI_Sendrecv(&out, 1, MPI_INT, right(3), 5, &in, 1, MPI_INT, left(3), 5, MPI_COMM_WORLD, &status);
  tell("sendrecv: %d from %d", in, status.MPI_SOURCE);
  MPI_Sendrecv_replace(&out, 1, MPI_INT, left(1), 6, right(1), 6, MPI_COMM_WORLD, &status);
  tell("sendrecv_replace: %d from %d", out, status.MPI_SOURCE);
  in = -1;
  MPI_Recv(&in, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &status);
  tell("from nobody: %d, %d, %d", in, status.MPI_SOURCE == MPI_PROC_NULL,
       status.MPI_TAG == MPI_ANY_TAG);
}

/* Rank 0 hears of all others, in an order of its own choice. */
static void probes(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int mine[3] = {rank, rank * rank, 7};
  if (rank != 0) {
    MPI_Isend(mine, 1 + rank % 3, MPI_INT, 0, 100 + rank, MPI_COMM_WORLD, &request);
  }
  for (int from = size - 1; rank == 0 && from > 0; --from) {
    int found = 0, count, got[3];
    MPI_Status status;
    MPI_Message message;
    switch (from % 4) {
      case 0:
        MPI_Probe(from, 100 + from, MPI_COMM_WORLD, &status);
        break;
      case 1:
        while (!found) MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
        break;
      case 2:
        MPI_Mprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        break;
      default:
        while (!found) MPI_Improbe(from, 100 + from, MPI_COMM_WORLD, &found, &message, &status);
    }
    MPI_Get_count(&status, MPI_INT, &count);
    if (from % 4 < 2) {
      MPI_Recv(got, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    } else if (from % 4 == 2) {
      MPI_Mrecv(got, count, MPI_INT, &message, &status);
    } else {
      MPI_Request later;
      MPI_Imrecv(got, count, MPI_INT, &message, &later);
      MPI_Wait(&later, &status);
    }
    tell("probed: %d numbers, first %d, from %d, tag %d", count, got[0], status.MPI_SOURCE,
         status.MPI_TAG);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void packing(void) {
  char packed[256];
  int place = 0, bound, number = 40 + rank;
  double half = rank / 2.0;
  MPI_Pack_size(2, MPI_DOUBLE, MPI_COMM_WORLD, &bound);
  MPI_Pack(&number, 1, MPI_INT, packed, sizeof packed, &place, MPI_COMM_WORLD);
  MPI_Pack(&half, 1, MPI_DOUBLE, packed, sizeof packed, &place, MPI_COMM_WORLD);
  MPI_Sendrecv_replace(packed, sizeof packed, MPI_PACKED, right(1), 8, left(1), 8, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  place = 0;
  MPI_Unpack(packed, sizeof packed, &place, &number, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Unpack(packed, sizeof packed, &place, &half, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  tell("unpacked: %d and %.1f; two doubles fit: %d", number, half, bound >= 16);
}

void point_to_point(void) {
  send_modes();
  nonblocking_modes();
  exchanges();
  probes();
  packing();
}
