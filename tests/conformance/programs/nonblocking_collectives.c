/* All nonblocking collectives of the world under way at once, completed together. */
#include "conformance.h"

enum { ways = 17 };

void nonblocking_collectives(void) {
  const size_t all = (size_t)size;
  int* memory = malloc(sizeof(int) * all * (2 * ways + 3));
  int *counts = memory + 2 * ways * all, *places = counts + all, *bytes = places + all;
  int *out[ways], *in[ways];
  MPI_Request requests[ways];
  MPI_Datatype* types = malloc(sizeof *types * all);
  for (int i = 0; i < ways; ++i) {
    out[i] = memory + 2 * (size_t)i * all;
    in[i] = out[i] + size;
    for (int k = 0; k < size; ++k) {
      out[i][k] = 1000 * i + 20 * rank + k;
      in[i][k] = -1;
    }
  }
  for (int k = 0; k < size; ++k) {
    counts[k] = 1;
    places[k] = size - 1 - k;
    bytes[k] = (int)sizeof(int) * places[k];
    types[k] = MPI_INT;
  }
  const int last = size - 1;
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Ibarrier(world, &requests[0]);
  MPI_Ibcast(out[1], size, MPI_INT, last, world, &requests[1]);
  MPI_Ireduce(out[2], in[2], size, MPI_INT, MPI_SUM, last, world, &requests[2]);
  MPI_Iallreduce(out[3], in[3], size, MPI_INT, MPI_MIN, world, &requests[3]);
  MPI_Igather(out[4], 1, MPI_INT, in[4], 1, MPI_INT, 1, world, &requests[4]);
  MPI_Igatherv(out[5], 1, MPI_INT, in[5], counts, places, MPI_INT, 1, world, &requests[5]);
  MPI_Iscatter(out[6], 1, MPI_INT, in[6], 1, MPI_INT, last, world, &requests[6]);
  MPI_Iscatterv(out[7], counts, places, MPI_INT, in[7], 1, MPI_INT, last, world, &requests[7]);
  MPI_Iallgather(out[8], 1, MPI_INT, in[8], 1, MPI_INT, world, &requests[8]);
  MPI_Iallgatherv(out[9], 1, MPI_INT, in[9], counts, places, MPI_INT, world, &requests[9]);
  MPI_Ialltoall(out[10], 1, MPI_INT, in[10], 1, MPI_INT, world, &requests[10]);
  MPI_Ialltoallv(out[11], counts, places, MPI_INT, in[11], counts, places, MPI_INT, world,
                 &requests[11]);
  MPI_Ialltoallw(out[12], counts, bytes, types, in[12], counts, bytes, types, world, &requests[12]);
  MPI_Ireduce_scatter(out[13], in[13], counts, MPI_INT, MPI_SUM, world, &requests[13]);
  MPI_Ireduce_scatter_block(out[14], in[14], 1, MPI_INT, MPI_SUM, world, &requests[14]);
  MPI_Iscan(out[15], in[15], 1, MPI_INT, MPI_SUM, world, &requests[15]);
  MPI_Iexscan(out[16], in[16], 1, MPI_INT, MPI_SUM, world, &requests[16]);
  MPI_Waitall(ways, requests, MPI_STATUSES_IGNORE);
  tell("ibcast: %d %d", out[1][0], out[1][last]);
  for (int i = 2; i < ways; ++i) tell("way %d: %d %d %d", i, in[i][0], in[i][1], in[i][last]);
  free(types);
  free(memory);
}
