/* Makes the same topology of processes again and again, with reorder=1: a ring that steps over
 * STRIDE ranks. Rank 0 prints how long each call took, and the same with reorder=0. "varied": other
 * weights each time. "distributed" is MPI_Dist_graph_create, with reorder=1 only: Open MPI 4.1.4
 * hangs after some of them with reorder=0, without Kith, too.
 *
 * usage: topology_rounds cart|graph|adjacent|varied|distributed COUNT STRIDE */
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int rank, size, stride;

static MPI_Comm cart(int reorder) {
  const int extents[1] = {size}, periodic[1] = {1};
  MPI_Comm made;
  MPI_Cart_create(MPI_COMM_WORLD, 1, extents, periodic, reorder, &made);
  return made;
}

static MPI_Comm graph(int reorder) {
  int* const index = malloc(sizeof(int) * (size_t)size);
  int* const edges = malloc(sizeof(int) * (size_t)size);
  for (int v = 0; v < size; ++v) {
    index[v] = v + 1;
    edges[v] = (v + stride) % size;
  }
  MPI_Comm made;
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, reorder, &made);
  free(index);
  free(edges);
  return made;
}

static MPI_Comm adjacent(int reorder, int weight) {
  const int from = (rank + size - stride) % size, to = (rank + stride) % size;
  MPI_Comm made;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, &weight, 1, &to, &weight, MPI_INFO_NULL,
                                 reorder, &made);
  int got = -1, here;
  MPI_Comm_rank(made, &here);
  MPI_Neighbor_allgather(&here, 1, MPI_INT, &got, 1, MPI_INT, made);
  CHECK(got == (here + size - stride) % size);
  return made;
}

static MPI_Comm distributed(int reorder) {
  const int degree = 1, to = (rank + stride) % size, weight = 1;
  MPI_Comm made;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, &to, &weight, MPI_INFO_NULL, reorder,
                        &made);
  int got = -1, here;
  MPI_Comm_rank(made, &here);
  MPI_Neighbor_allgather(&here, 1, MPI_INT, &got, 1, MPI_INT, made);
  CHECK(got == (here + size - stride) % size);
  return made;
}

static double seconds_for(const char* kind, int count, int reorder) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < count; ++i) {
    MPI_Comm made = MPI_COMM_NULL;
    if (strcmp(kind, "cart") == 0) made = cart(reorder);
    if (strcmp(kind, "graph") == 0) made = graph(reorder);
    if (strcmp(kind, "adjacent") == 0) made = adjacent(reorder, 1);
    if (strcmp(kind, "varied") == 0) made = adjacent(reorder, i + 1);
    if (strcmp(kind, "distributed") == 0) made = distributed(reorder);
    CHECK(made != MPI_COMM_NULL);
    MPI_Comm_free(&made);
  }
  return MPI_Wtime() - begin;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  CHECK(argc == 4);
  const int count = atoi(argv[2]);
  stride = atoi(argv[3]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int with_plain = strcmp(argv[1], "distributed") != 0;
  const double plain = with_plain ? seconds_for(argv[1], count, 0) : 0;
  const double reordered = seconds_for(argv[1], count, 1);
  if (rank == 0) {
    printf("%s: plain %.1f us, reordered %.1f us\n", argv[1], plain / count * 1e6,
           reordered / count * 1e6);
  }
  MPI_Finalize();
  return 0;
}
