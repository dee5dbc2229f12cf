/* maps cart|graph REORDERED EXTENTS...: a grid (periodic where an extent is negative), or the same
 * as a graph, by MPI_Cart_map or MPI_Graph_map, and a communicator of processes in those places.
 * Rank 0 prints how many neighbours are on other hosts. REORDERED: the communicator that is asked
 * is the world backwards. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { most = 8 };

static int dims[most], periods[most], dimensions, vertices = 1;

static int neighbour(int vertex, int dimension) {
  int stride = 1;
  for (int d = dimension + 1; d < dimensions; ++d) stride *= dims[d];
  const int place = vertex / stride % dims[dimension];
  if (place + 1 < dims[dimension]) return vertex + stride;
  return periods[dimension] && dims[dimension] > 1 ? vertex - place * stride : -1;
}

static int map_of(const char* way, MPI_Comm comm) {
  int newrank = -5;
  if (strcmp(way, "cart") == 0) {
    MPI_Cart_map(comm, dimensions, dims, periods, &newrank);
    return newrank;
  }
  int* index = malloc(sizeof(int) * (size_t)vertices * (size_t)(1 + dimensions));
  int *edges = index + vertices, count = 0;
  for (int v = 0; v < vertices; ++v) {
    for (int d = 0; d < dimensions; ++d) {
      if (neighbour(v, d) >= 0) edges[count++] = neighbour(v, d);
    }
    index[v] = count;
  }
  MPI_Graph_map(comm, vertices, index, edges, &newrank);
  free(index);
  return newrank;
}

static int host_number(void) {
  MPI_Comm host;
  int first;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_rank(MPI_COMM_WORLD, &first);
  MPI_Bcast(&first, 1, MPI_INT, 0, host);
  MPI_Comm_free(&host);
  return first;
}

int main(int argc, char** argv) {
  int rank, size, cut = 0;
  MPI_Comm comm, placed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 3; i < argc; ++i) {
    const int extent = atoi(argv[i]);
    periods[dimensions] = extent < 0;
    dims[dimensions++] = abs(extent);
    vertices *= abs(extent);
  }
  MPI_Comm_split(MPI_COMM_WORLD, 0, atoi(argv[2]) ? -rank : rank, &comm);
  const int newrank = map_of(argv[1], comm);
  CHECK(newrank == MPI_UNDEFINED || (newrank >= 0 && newrank < vertices));
  MPI_Comm_split(comm, newrank == MPI_UNDEFINED ? MPI_UNDEFINED : 0, newrank, &placed);
  const int host = host_number();
  if (placed != MPI_COMM_NULL) {
    int here, members, *hosts = malloc(sizeof(int) * (size_t)vertices);
    MPI_Comm_rank(placed, &here);
    MPI_Comm_size(placed, &members);
    CHECK(members == vertices && here == newrank); /* each place once */
    MPI_Allgather(&host, 1, MPI_INT, hosts, 1, MPI_INT, placed);
    for (int v = 0; v < vertices; ++v) {
      for (int d = 0; d < dimensions; ++d) {
        cut += neighbour(v, d) >= 0 && hosts[v] != hosts[neighbour(v, d)];
      }
    }
    free(hosts);
    if (here == 0) printf("%s: %d neighbours on other hosts\n", argv[1], cut);
    MPI_Comm_free(&placed);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
