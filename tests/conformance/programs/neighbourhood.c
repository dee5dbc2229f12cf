/* Collectives along a grid, a graph, and a distributed graph of the world, blocking and not. Which
 * process takes which place may be the library's choice (reorder); what a place gets is not. */
#include "../../support/persistent.h"
#include "conformance.h"

enum { most = 4, ways = 5 };

/* Fixed numbers of vertex `place`, and room for what comes; what `way` counts on. */
static struct {
  int out[most], in[ways][most], counts[most], places[most];
  MPI_Aint bytes[most];
  MPI_Datatype types[most];
} data;

static void fill(int place) {
  for (int i = 0; i < most; ++i) {
    data.out[i] = 10 * place + i;
    data.counts[i] = 1;
    data.places[i] = most - 1 - i;
    data.bytes[i] = (MPI_Aint)sizeof(int) * data.places[i];
    data.types[i] = MPI_INT;
    for (int way = 0; way < ways; ++way) data.in[way][i] = -1;
  }
}

static void blocking(MPI_Comm comm) {
  MPI_Neighbor_allgather(data.out, 1, MPI_INT, data.in[0], 1, MPI_INT, comm);
  MPI_Neighbor_allgatherv(data.out, 1, MPI_INT, data.in[1], data.counts, data.places, MPI_INT,
                          comm);
  MPI_Neighbor_alltoall(data.out, 1, MPI_INT, data.in[2], 1, MPI_INT, comm);
  MPI_Neighbor_alltoallv(data.out, data.counts, data.places, MPI_INT, data.in[3], data.counts,
                         data.places, MPI_INT, comm);
  MPI_Neighbor_alltoallw(data.out, data.counts, data.bytes, data.types, data.in[4], data.counts,
                         data.bytes, data.types, comm);
}

static void nonblocking(MPI_Comm comm) {
  MPI_Request r[ways];
  MPI_Ineighbor_allgather(data.out, 1, MPI_INT, data.in[0], 1, MPI_INT, comm, &r[0]);
  MPI_Ineighbor_allgatherv(data.out, 1, MPI_INT, data.in[1], data.counts, data.places, MPI_INT,
                           comm, &r[1]);
  MPI_Ineighbor_alltoall(data.out, 1, MPI_INT, data.in[2], 1, MPI_INT, comm, &r[2]);
  MPI_Ineighbor_alltoallv(data.out, data.counts, data.places, MPI_INT, data.in[3], data.counts,
                          data.places, MPI_INT, comm, &r[3]);
  MPI_Ineighbor_alltoallw(data.out, data.counts, data.bytes, data.types, data.in[4], data.counts,
                          data.bytes, data.types, comm, &r[4]);
  MPI_Waitall(ways, r, MPI_STATUSES_IGNORE);
}

static void persistent(MPI_Comm comm) {
#if defined(PERSISTENT)
  MPI_Request r[ways];
  const MPI_Info none = MPI_INFO_NULL;
  PERSISTENT(Neighbor_allgather)(data.out, 1, MPI_INT, data.in[0], 1, MPI_INT, comm, none, &r[0]);
  PERSISTENT(Neighbor_allgatherv)
  (data.out, 1, MPI_INT, data.in[1], data.counts, data.places, MPI_INT, comm, none, &r[1]);
  PERSISTENT(Neighbor_alltoall)(data.out, 1, MPI_INT, data.in[2], 1, MPI_INT, comm, none, &r[2]);
  PERSISTENT(Neighbor_alltoallv)
  (data.out, data.counts, data.places, MPI_INT, data.in[3], data.counts, data.places, MPI_INT, comm,
   none, &r[3]);
  PERSISTENT(Neighbor_alltoallw)
  (data.out, data.counts, data.bytes, data.types, data.in[4], data.counts, data.bytes, data.types,
   comm, none, &r[4]);
  MPI_Startall(ways, r);
  MPI_Waitall(ways, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < ways; ++i) MPI_Request_free(&r[i]);
#else
  blocking(comm);
#endif
}

/* What each vertex found, told by the rank of its number: who sits there is nobody's business. */
static void tell_places(const char* what, MPI_Comm comm) {
  enum { numbers = ways * most };
  int place, members, *all;
  MPI_Comm_rank(comm, &place);
  MPI_Comm_size(comm, &members);
  all = malloc(sizeof(int) * numbers * (size_t)members);
  MPI_Allgather(data.in, numbers, MPI_INT, all, numbers, MPI_INT, comm);
  MPI_Request request = MPI_REQUEST_NULL; /* rank 0 may send to itself */
  if (place == 0) MPI_Isend(all, numbers * members, MPI_INT, 0, 9, MPI_COMM_WORLD, &request);
  if (rank == 0) {
    int* seen = malloc(sizeof(int) * numbers * (size_t)members);
    MPI_Recv(seen, numbers * members, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    for (int vertex = 0; vertex < members; ++vertex) {
      const int* const v = seen + numbers * vertex;
      for (int way = 0; way < ways; ++way) {
        const int* const w = v + most * way;
        tell("%s, vertex %d, way %d: %d %d %d %d", what, vertex, way, w[0], w[1], w[2], w[3]);
      }
    }
    free(seen);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(all);
}

static void along(const char* what, MPI_Comm comm) {
  static void (*const kinds[])(MPI_Comm) = {blocking, nonblocking, persistent};
  for (int kind = 0; kind < 3; ++kind) {
    int place = 0;
    char name[64];
    MPI_Comm_rank(comm, &place);
    fill(place);
    kinds[kind](comm);
    snprintf(name, sizeof name, "%s, kind %d", what, kind);
    tell_places(name, comm);
  }
  MPI_Comm_free(&comm);
}

void neighbourhood(void) {
  for (int reorder = 0; reorder < 2; ++reorder) {
    MPI_Comm made;
    const int dims[2] = {size / 2, 2}, open[2] = {0, 0}, closed[2] = {1, 1};
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, closed, reorder, &made);
    along("ring", made);
    if (size % 2 == 0) {
      MPI_Cart_create(MPI_COMM_WORLD, 2, dims, open, reorder, &made);
      along("grid", made);
    }
    int* index = malloc(3 * sizeof(int) * (size_t)size);
    int* edges = index + size;
    for (int i = 0; i < size; ++i) {
      index[i] = 2 * (i + 1);
      edges[2 * i] = (i + size - 1) % size;
      edges[2 * i + 1] = (i + 1) % size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, reorder, &made);
    along("graph", made);
    free(index);
    const int sources[2] = {left(2), left(1)}, targets[2] = {right(2), right(1)};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, sources, 2, targets, targets,
                                   MPI_INFO_NULL, reorder, &made);
    along("adjacent", made);
  }
}
