/* Along topologies; and making them, and other communicators. */
#include <stdio.h>

#include "sweep.h"

static void along(const char* topology, int incoming, int outgoing, int bytes, int n,
                  MPI_Datatype type) {
  char name[64];
#define DONE(what) (snprintf(name, sizeof name, "%s.%s", topology, what), done(name, bytes))
  const int edges = incoming > outgoing ? incoming : outgoing;
  for (int i = 0; i < edges; ++i) {
    counts[i] = n;
    places[i] = n * i;
    addresses[i] = (MPI_Aint)bytes * i;
    types[i] = type;
  }
  begin();
  RUN(Neighbor_allgather, neighbor_allgather, out, n, type, in, n, type, comm);
  DONE("neighbor_allgather");
  RUN(Neighbor_allgatherv, neighbor_allgatherv, out, n, type, in, counts, places, type, comm);
  DONE("neighbor_allgatherv");
  RUN(Neighbor_alltoall, neighbor_alltoall, out, n, type, in, n, type, comm);
  DONE("neighbor_alltoall");
  RUN(Neighbor_alltoallv, neighbor_alltoallv, out, counts, places, type, in, counts, places, type,
      comm);
  DONE("neighbor_alltoallv");
  RUN(Neighbor_alltoallw, neighbor_alltoallw, out, counts, addresses, types, in, counts, addresses,
      types, comm);
  DONE("neighbor_alltoallw");
#undef DONE
}

void neighbours(int bytes, int n, MPI_Datatype type) {
  static MPI_Comm cart = MPI_COMM_NULL, graph, distributed;
  if ((size_t)bytes * 8 > room) return;
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  if (cart == MPI_COMM_NULL) {
    int dims[2] = {0, 0};
    const int periods[2] = {1, 0};
    MPI_Dims_create(ranks, 2, dims);
    /* past Kith: what making them sends is no case of ours */
    PMPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    int* index = malloc(sizeof(int) * (size_t)ranks);
    int* edges = malloc(sizeof(int) * 2 * (size_t)ranks);
    for (int i = 0; i < ranks; ++i) {
      index[i] = 2 * (i + 1);
      edges[2 * i] = (i + ranks - 1) % ranks;
      edges[2 * i + 1] = (i + 1) % ranks;
    }
    PMPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, 0, &graph);
    free(edges);
    free(index);
    /* one in, from the left; three out where the right one hears us, so: everybody to the right
       twice, and hears the left one twice */
    const int sources[2] = {left, left}, destinations[2] = {right, right}, weights[2] = {1, 1};
    PMPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, weights, 2, destinations, weights,
                                    MPI_INFO_NULL, 0, &distributed);
  }
  comm = cart;
  along("cart", 4, 4, bytes, n, type);
  comm = graph;
  along("graph", 2, 2, bytes, n, type);
  comm = distributed;
  along("dist", 2, 2, bytes, n, type);
}

static void made(const char* how, MPI_Comm* fresh) {
  done(how, 0);
  if (*fresh != MPI_COMM_NULL) MPI_Comm_free(fresh);
  begin();
}

void making(void) {
  MPI_Comm fresh, cart;
  MPI_Group group;
  const int periods[2] = {1, 0}, keep[2] = {1, 0}, rows[1] = {ranks};
  int dims[2] = {0, 0};
  begin();
  MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
  made("make.dup", &fresh);
  MPI_Comm_idup(MPI_COMM_WORLD, &fresh, &request);
  wait_for_it();
  made("make.idup", &fresh);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &fresh);
  made("make.split", &fresh);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? MPI_UNDEFINED : 0, rank, &fresh);
  made("make.split.some", &fresh);
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Comm_create(MPI_COMM_WORLD, group, &fresh);
  MPI_Group_free(&group);
  made("make.create", &fresh);
  MPI_Cart_create(MPI_COMM_WORLD, 1, rows, periods, 0, &fresh);
  made("make.cart1", &fresh);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  done("make.cart2", 0);
  MPI_Cart_sub(cart, keep, &fresh);
  made("make.cart_sub", &fresh);
  MPI_Comm_free(&cart);
  int* index = malloc(sizeof(int) * (size_t)ranks);
  int* edges = malloc(sizeof(int) * (size_t)ranks);
  for (int i = 0; i < ranks; ++i) {
    index[i] = i + 1;
    edges[i] = (i + 1) % ranks;
  }
  begin();
  MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, 0, &fresh);
  made("make.graph", &fresh);
  free(edges);
  free(index);
  const int left[1] = {(rank + ranks - 1) % ranks}, right[1] = {(rank + 1) % ranks}, one[1] = {1};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, left, one, 1, right, one, MPI_INFO_NULL, 0,
                                 &fresh);
  made("make.dist_graph_adjacent", &fresh);
}
