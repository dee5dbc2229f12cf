/* Persistent collectives, started twice: MPI_X_init of MPI 4 and Open MPI 5, MPIX_X_init of Open MPI
 * before. */
#include "../../support/persistent.h"
#include "conformance.h"

#if !defined(PERSISTENT)

void persistent_collectives(void) {
  tell("this MPI library has none");
}

#else

enum { ways = 17 };

void persistent_collectives(void) {
  const size_t all = (size_t)size;
  int* memory = malloc(sizeof(int) * all * (2 * ways + 3));
  int *counts = memory + 2 * ways * all, *places = counts + all, *bytes = places + all;
  int *out[ways], *in[ways];
  MPI_Request requests[ways];
  MPI_Datatype* types = malloc(sizeof *types * all);
  for (int i = 0; i < ways; ++i) {
    out[i] = memory + 2 * (size_t)i * all;
    in[i] = out[i] + size;
  }
  for (int k = 0; k < size; ++k) {
    counts[k] = 1;
    places[k] = size - 1 - k;
    bytes[k] = (int)sizeof(int) * places[k];
    types[k] = MPI_INT;
  }
  const int last = size - 1;
  const MPI_Comm w = MPI_COMM_WORLD;
  const MPI_Info none = MPI_INFO_NULL;
  MPI_Request* const r = requests;
  PERSISTENT(Barrier)(w, none, &r[0]);
  PERSISTENT(Bcast)(out[1], size, MPI_INT, last, w, none, &r[1]);
  PERSISTENT(Reduce)(out[2], in[2], size, MPI_INT, MPI_SUM, last, w, none, &r[2]);
  PERSISTENT(Allreduce)(out[3], in[3], size, MPI_INT, MPI_MIN, w, none, &r[3]);
  PERSISTENT(Gather)(out[4], 1, MPI_INT, in[4], 1, MPI_INT, 1, w, none, &r[4]);
  PERSISTENT(Gatherv)(out[5], 1, MPI_INT, in[5], counts, places, MPI_INT, 1, w, none, &r[5]);
  PERSISTENT(Scatter)(out[6], 1, MPI_INT, in[6], 1, MPI_INT, last, w, none, &r[6]);
  PERSISTENT(Scatterv)(out[7], counts, places, MPI_INT, in[7], 1, MPI_INT, last, w, none, &r[7]);
  PERSISTENT(Allgather)(out[8], 1, MPI_INT, in[8], 1, MPI_INT, w, none, &r[8]);
  PERSISTENT(Allgatherv)(out[9], 1, MPI_INT, in[9], counts, places, MPI_INT, w, none, &r[9]);
  PERSISTENT(Alltoall)(out[10], 1, MPI_INT, in[10], 1, MPI_INT, w, none, &r[10]);
  PERSISTENT(Alltoallv)
  (out[11], counts, places, MPI_INT, in[11], counts, places, MPI_INT, w, none, &r[11]);
  PERSISTENT(Alltoallw)
  (out[12], counts, bytes, types, in[12], counts, bytes, types, w, none, &r[12]);
  PERSISTENT(Reduce_scatter)(out[13], in[13], counts, MPI_INT, MPI_SUM, w, none, &r[13]);
  PERSISTENT(Reduce_scatter_block)(out[14], in[14], 1, MPI_INT, MPI_SUM, w, none, &r[14]);
  PERSISTENT(Scan)(out[15], in[15], 1, MPI_INT, MPI_SUM, w, none, &r[15]);
  PERSISTENT(Exscan)(out[16], in[16], 1, MPI_INT, MPI_SUM, w, none, &r[16]);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < ways; ++i) {
      for (int k = 0; k < size; ++k) {
        out[i][k] = 10000 * round + 500 * i + 20 * rank + k;
        in[i][k] = -1;
      }
    }
    MPI_Startall(ways, requests);
    MPI_Waitall(ways, requests, MPI_STATUSES_IGNORE);
    tell("round %d, bcast: %d %d", round, out[1][0], out[1][last]);
    for (int i = 2; i < ways; ++i) tell("way %d: %d %d %d", i, in[i][0], in[i][1], in[i][last]);
  }
  for (int i = 0; i < ways; ++i) MPI_Request_free(&requests[i]);
  free(types);
  free(memory);
}

#endif
