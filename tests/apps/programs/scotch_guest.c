/* An application with a Scotch of its own: each rank partitions a grid with SCOTCH_graphPart and
 * passes its parts around the ring; rank 0 prints everybody's parts. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "scotch.h"

enum { side = 12, cells = side * side };

static void fail(const char* what) {
  fprintf(stderr, "scotch_guest: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Parts of the side x side grid, and the library's own size of a number with them. */
static void partition(SCOTCH_Num parts, SCOTCH_Num* part) {
  static SCOTCH_Num first[cells + 1], neighbour[4 * cells];
  SCOTCH_Num edges = 0;
  for (int i = 0; i < cells; ++i) {
    const int row = i / side, column = i % side;
    first[i] = edges;
    if (row > 0) neighbour[edges++] = i - side;
    if (column > 0) neighbour[edges++] = i - 1;
    if (column < side - 1) neighbour[edges++] = i + 1;
    if (row < side - 1) neighbour[edges++] = i + side;
  }
  first[cells] = edges;
  SCOTCH_Graph graph;
  SCOTCH_Strat strategy;
  SCOTCH_randomSeed(5);
  SCOTCH_randomReset();
  if (SCOTCH_numSizeof() != (int)sizeof(SCOTCH_Num)) fail("another library than it was built for");
  if (SCOTCH_graphInit(&graph) || SCOTCH_stratInit(&strategy)) fail("init");
  if (SCOTCH_graphBuild(&graph, 0, cells, first, NULL, NULL, NULL, edges, neighbour, NULL)) {
    fail("graphBuild");
  }
  if (SCOTCH_graphCheck(&graph)) fail("graphCheck");
  if (SCOTCH_graphPart(&graph, parts, &strategy, part)) fail("graphPart");
  SCOTCH_stratExit(&strategy);
  SCOTCH_graphExit(&graph);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  SCOTCH_Num mine[cells], left[cells];
  partition(rank + 2, mine);
  MPI_Sendrecv(mine, sizeof mine, MPI_BYTE, (rank + 1) % size, 0, left, sizeof left, MPI_BYTE,
               (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  SCOTCH_Num* all = malloc((size_t)size * sizeof left);
  MPI_Gather(left, sizeof left, MPI_BYTE, all, sizeof left, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size * cells; ++i) {
    printf("%d%c", (int)all[i], i % side == side - 1 ? '\n' : ' ');
  }
  free(all);
  MPI_Finalize();
  return 0;
}
