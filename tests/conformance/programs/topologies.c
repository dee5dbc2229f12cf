/* Grids and graphs: what they look like from each of their places. Of topologies that may be
 * reordered only what holds in any order is told. */
#include "conformance.h"

static void tell_sum(const char* what, int mine, MPI_Comm comm) {
  int sum = -1;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  tell("%s: %d", what, sum);
}

static void grid(int reorder) {
  int dims[2] = {0, 2}, periods[2] = {1, 0}, found[2], wrapped[2], place[2], here, dimensions, kind;
  MPI_Comm made, line;
  MPI_Dims_create(size / 2 * 2, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, reorder, &made);
  tell_sum("members of the grid", made != MPI_COMM_NULL, MPI_COMM_WORLD);
  if (made == MPI_COMM_NULL) return;
  MPI_Comm_rank(made, &here);
  MPI_Topo_test(made, &kind);
  MPI_Cartdim_get(made, &dimensions);
  MPI_Cart_get(made, 2, found, wrapped, place);
  int coordinates[2], back, before, after, sum;
  MPI_Cart_coords(made, here, 2, coordinates);
  MPI_Cart_rank(made, coordinates, &back);
  MPI_Cart_shift(made, 0, 1, &before, &after);
  sum = -1;
  MPI_Sendrecv(&here, 1, MPI_INT, after, 0, &sum, 1, MPI_INT, before, 0, made, MPI_STATUS_IGNORE);
  const int held = kind == MPI_CART && dimensions == 2 && found[0] == dims[0] && wrapped[0] == 1 &&
                   place[0] == coordinates[0] && place[1] == coordinates[1] && back == here &&
                   sum == before;
  tell_sum("places that hold together", held, made);
  const int rows_only[2] = {0, 1};
  MPI_Cart_sub(made, rows_only, &line);
  MPI_Comm_size(line, &back);
  MPI_Comm_rank(line, &sum);
  tell_sum("places right in their rows", back == 2 && sum == coordinates[1], made);
  if (!reorder) tell("grid: %d at %d %d, row place %d", here, coordinates[0], coordinates[1], sum);
  MPI_Comm_free(&line);
  MPI_Comm_free(&made);
}

/* A star with vertex 0 in its middle. */
static void graph(int reorder) {
  int* index = malloc(4 * sizeof(int) * (size_t)size);
  int* edges = index + size;
  int here, kind, nodes, arcs, count, neighbours[64];
  MPI_Comm made;
  for (int i = 0; i < size; ++i) {
    index[i] = size - 1 + i;
    edges[i == 0 ? 0 : size - 2 + i] = i == 0 ? 1 : 0;
    if (i > 0) edges[i - 1] = i;
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, reorder, &made);
  MPI_Comm_rank(made, &here);
  MPI_Topo_test(made, &kind);
  MPI_Graphdims_get(made, &nodes, &arcs);
  MPI_Graph_neighbors_count(made, here, &count);
  MPI_Graph_neighbors(made, here, 64, neighbours);
  const int held = kind == MPI_GRAPH && nodes == size && arcs == 2 * (size - 1) &&
                   count == (here == 0 ? size - 1 : 1) && neighbours[0] == (here == 0 ? 1 : 0);
  tell_sum("vertices of the star that hold together", held, made);
  int *index_found = malloc(3 * sizeof(int) * (size_t)size), *edges_found = index_found + size;
  MPI_Graph_get(made, size, arcs, index_found, edges_found);
  tell("star: ends at %d, last edge to %d", index_found[size - 1], edges_found[arcs - 1]);
  free(index_found);
  MPI_Comm_free(&made);
  free(index);
}

/* Rank 0 declares a directed ring for all, with weights. */
static void distributed(int reorder) {
  int* nodes = malloc(4 * sizeof(int) * (size_t)size);
  int *degrees = nodes + size, *targets = nodes + 2 * size, *weights = nodes + 3 * size;
  int here, in, out, weighted, source, target, in_weight, out_weight, kind;
  MPI_Comm made;
  for (int i = 0; i < size; ++i) {
    nodes[i] = i;
    degrees[i] = 1;
    targets[i] = (i + 1) % size;
    weights[i] = 5 + i;
  }
  MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? size : 0, nodes, degrees, targets, weights,
                        MPI_INFO_NULL, reorder, &made);
  MPI_Comm_rank(made, &here);
  MPI_Topo_test(made, &kind);
  MPI_Dist_graph_neighbors_count(made, &in, &out, &weighted);
  MPI_Dist_graph_neighbors(made, 1, &source, &in_weight, 1, &target, &out_weight);
  const int held = kind == MPI_DIST_GRAPH && in == 1 && out == 1 && weighted &&
                   source == (here + size - 1) % size && target == (here + 1) % size &&
                   out_weight == 5 + here && in_weight == 5 + source;
  tell_sum("vertices of the ring that hold together", held, made);
  MPI_Comm_free(&made);
  free(nodes);
}

/* Where each process would be best in a grid or graph: each place once. */
static void mapped(void) {
  int dims[1] = {size}, periods[1] = {1}, place, kind;
  int* index = malloc(2 * sizeof(int) * (size_t)size);
  MPI_Cart_map(MPI_COMM_WORLD, 1, dims, periods, &place);
  tell_sum("places in a grid", place == MPI_UNDEFINED ? 0 : place + 1, MPI_COMM_WORLD);
  tell_sum("no place in it", place == MPI_UNDEFINED, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) {
    index[i] = i + 1;
    index[size + i] = (i + 1) % size;
  }
  MPI_Graph_map(MPI_COMM_WORLD, size, index, index + size, &place);
  tell_sum("places in a graph", place == MPI_UNDEFINED ? 0 : place + 1, MPI_COMM_WORLD);
  tell_sum("no place in it", place == MPI_UNDEFINED, MPI_COMM_WORLD);
  MPI_Topo_test(MPI_COMM_WORLD, &kind);
  tell("the world has no topology: %d", kind == MPI_UNDEFINED);
  free(index);
}

void topologies(void) {
  for (int reorder = 0; reorder < 2; ++reorder) {
    grid(reorder);
    graph(reorder);
    distributed(reorder);
  }
  mapped();
}
