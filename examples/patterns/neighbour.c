/* Values that flow along the edges of a directed graph: neighbourhood collectives on a graph
 * communicator, each rank having edges to the ranks 1, 2, 4, 8... further on.
 *
 * neighbour [N STEPS] [nonblocking]: N values along each edge, and in every second step N plus a
 * number that depends on the edge. */
#include <mpi.h>
#include <stdio.h>

#include "arguments.h"

enum { most = 32 };

static int rank, ranks, degree;
static int sources[most], destinations[most], weights[most];

static MPI_Comm make_graph(int n) {
  MPI_Comm graph;
  degree = 0;
  for (int distance = 1; distance < ranks; distance *= 2, ++degree) {
    destinations[degree] = (rank + distance) % ranks;
    sources[degree] = (rank + ranks - distance) % ranks;
    weights[degree] = n;
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, sources, weights, degree, destinations,
                                 weights, MPI_INFO_NULL, 0, &graph);
  return graph;
}

/* Extra values along an edge. */
static int extra(int from, int to) {
  return (3 * from + to) % 5;
}

typedef struct {
  int send[most], send_at[most], receive[most], receive_at[most];
} Shape;

static void make_shape(Shape* shape, int n) {
  int out = 0, in = 0;
  for (int i = 0; i < degree; ++i) {
    shape->send[i] = n + extra(rank, destinations[i]);
    shape->receive[i] = n + extra(sources[i], rank);
    shape->send_at[i] = out;
    shape->receive_at[i] = in;
    out += shape->send[i];
    in += shape->receive[i];
  }
}

static void flow(MPI_Comm graph, const Shape* shape, int n, int even, int nonblocking,
                 const double* out, double* in) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (even && nonblocking) {
    MPI_Ineighbor_alltoall(out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, graph, &request);
  } else if (even) {
    MPI_Neighbor_alltoall(out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, graph);
  } else if (nonblocking) {
    MPI_Ineighbor_alltoallv(out, shape->send, shape->send_at, MPI_DOUBLE, in, shape->receive,
                            shape->receive_at, MPI_DOUBLE, graph, &request);
  } else {
    MPI_Neighbor_alltoallv(out, shape->send, shape->send_at, MPI_DOUBLE, in, shape->receive,
                           shape->receive_at, MPI_DOUBLE, graph);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n = number_argument(argc, argv, 1, 100), steps = number_argument(argc, argv, 2, 10);
  const int nonblocking = has_argument(argc, argv, "nonblocking");
  MPI_Comm graph = make_graph(n);
  Shape shape;
  make_shape(&shape, n);

  const size_t room = (size_t)(n + 4) * most;
  double *out = calloc(room, sizeof(double)), *in = calloc(room, sizeof(double));
  for (size_t i = 0; i < room; ++i) out[i] = (double)(i % 13) + rank;
  for (int s = 0; s < steps; ++s) {
    flow(graph, &shape, n, s % 2 == 0, nonblocking, out, in);
    for (size_t i = 0; i < room; ++i) out[i] = 0.5 * (out[i] + in[i]);
  }
  double mine = 0, sum = 0;
  for (size_t i = 0; i < room; ++i) mine += (double)(i % 17) * out[i];
  MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("neighbour: checksum %.17g\n", sum);
  free(out);
  free(in);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
