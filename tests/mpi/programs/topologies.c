/* Topologies with reorder=1, of every kind: whatever order comes out, the neighbours are those that
 * were declared, and messages between them arrive. Prints how many edges of each join two hosts: of
 * WIDTH launcher ranks each, or with 0 the real ones. With "still": no rank may have moved.
 *
 * usage: topologies WIDTH move|still EXTENT... (of a grid; a negative one is periodic) */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { most = 64, most_degree = 16 };

static int host, still, launcher_rank;
static const char* label = ""; /* before the kind of topology; processes that print may overtake */
static int dimensions, extents[4], periodic[4], vertices = 1;

/* --- the graph: neighbours of a vertex of the grid, both ways in each dimension ------------------- */

static int neighbours(int vertex, int* list) {
  int degree = 0, step = 1;
  for (int d = dimensions - 1; d >= 0; step *= extents[d], --d) {
    const int at = vertex / step % extents[d];
    for (int way = -1; way <= 1; way += 2) {
      const int to = at + way;
      if (to >= 0 && to < extents[d]) {
        list[degree++] = vertex + way * step;
      } else if (periodic[d]) {
        list[degree++] = vertex + ((to + extents[d]) % extents[d] - at) * step;
      }
    }
  }
  return degree;
}

static int weight_of(int from, int to) {
  return 1 + (from * 7 + to * 3) % 5;
}

/* --- what is asked of every topology -------------------------------------------------------------- */

/* How many edges lead to another host; that of each vertex is told by its process. */
static void tell_cut(const char* kind, MPI_Comm comm) {
  int rank, size, hosts[most], cut = 0, list[most_degree];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  CHECK(size <= most);
  MPI_Allgather(&host, 1, MPI_INT, hosts, 1, MPI_INT, comm);
  for (int v = 0; v < vertices; ++v) {
    const int degree = neighbours(v, list);
    for (int i = 0; i < degree; ++i) cut += hosts[v] != hosts[list[i]];
  }
  if (rank == 0) printf("%s%s cut %d\n", label, kind, cut);
}

static void check_order(MPI_Comm from, MPI_Comm made) {
  int before, after, relation;
  MPI_Comm_rank(from, &before);
  MPI_Comm_rank(made, &after);
  if (still) CHECK(before == after);
  MPI_Errhandler of_from, of_made;
  MPI_Comm_get_errhandler(from, &of_from);
  MPI_Comm_get_errhandler(made, &of_made);
  CHECK(of_from == of_made);
  MPI_Errhandler_free(&of_from);
  MPI_Errhandler_free(&of_made);
  MPI_Comm_compare(from, made, &relation);
  if (still && vertices > 2) CHECK(relation != MPI_UNEQUAL);
}

/* Each vertex sends its number to its neighbours, and gets theirs. */
static void talk(MPI_Comm comm) {
  int rank, list[most_degree], got[most_degree];
  MPI_Comm_rank(comm, &rank);
  const int degree = neighbours(rank, list);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, comm);
  for (int i = 0; i < degree; ++i) CHECK(got[i] == list[i]);
}

static void grid(MPI_Comm from) {
  MPI_Comm made;
  MPI_Cart_create(from, dimensions, extents, periodic, 1, &made);
  int size;
  MPI_Comm_size(from, &size);
  if (made == MPI_COMM_NULL) {
    CHECK(size > vertices);
    return;
  }
  int rank, here[4], list[most_degree], next = 0;
  MPI_Comm_rank(made, &rank);
  MPI_Cart_coords(made, rank, dimensions, here);
  const int degree = neighbours(rank, list);
  for (int d = dimensions - 1; d >= 0; --d) {
    int below, above;
    MPI_Cart_shift(made, d, 1, &below, &above);
    if (below != MPI_PROC_NULL) CHECK(below == list[next++]);
    if (above != MPI_PROC_NULL) CHECK(above == list[next++]);
    const int sent = here[d];
    int got = -1;
    MPI_Sendrecv(&sent, 1, MPI_INT, above, 0, &got, 1, MPI_INT, below, 0, made, MPI_STATUS_IGNORE);
    if (below != MPI_PROC_NULL) CHECK(got == (sent + extents[d] - 1) % extents[d]);
  }
  CHECK(next == degree);
  if (size == vertices) check_order(from, made);
  tell_cut("cart", made);
  MPI_Comm_free(&made);
}

static void graph(MPI_Comm from) {
  int index[most], edges[most * most_degree], count = 0;
  for (int v = 0; v < vertices; ++v) index[v] = count += neighbours(v, edges + count);
  MPI_Comm made;
  MPI_Graph_create(from, vertices, index, edges, 1, &made);
  if (made == MPI_COMM_NULL) return;
  int rank, degree, list[most_degree], found[most_degree];
  MPI_Comm_rank(made, &rank);
  MPI_Graph_neighbors_count(made, rank, &degree);
  CHECK(degree == neighbours(rank, list));
  MPI_Graph_neighbors(made, rank, degree, found);
  CHECK(memcmp(found, list, sizeof(int) * (size_t)degree) == 0);
  talk(made);
  tell_cut("graph", made);
  MPI_Comm_free(&made);
}

static void adjacent(MPI_Comm from, int weighted) {
  int rank, list[most_degree], in[most_degree], out[most_degree];
  MPI_Comm_rank(from, &rank);
  const int degree = rank < vertices ? neighbours(rank, list) : 0;
  for (int i = 0; i < degree; ++i) {
    in[i] = weight_of(list[i], rank);
    out[i] = weight_of(rank, list[i]);
  }
  int* const empty = degree == 0 ? MPI_WEIGHTS_EMPTY : NULL;
  MPI_Comm made;
  MPI_Dist_graph_create_adjacent(from, degree, list, !weighted ? MPI_UNWEIGHTED : empty ? empty : in,
                                 degree, list, !weighted ? MPI_UNWEIGHTED : empty ? empty : out,
                                 MPI_INFO_NULL, 1, &made);
  int ins, outs, is_weighted, sources[most_degree], targets[most_degree];
  MPI_Comm_rank(made, &rank);
  const int expected = rank < vertices ? neighbours(rank, list) : 0;
  MPI_Dist_graph_neighbors_count(made, &ins, &outs, &is_weighted);
  CHECK(ins == expected && outs == expected);
  CHECK(!is_weighted == !weighted);
  MPI_Dist_graph_neighbors(made, ins, sources, in, outs, targets, out);
  for (int i = 0; i < ins; ++i) {
    CHECK(sources[i] == list[i] && targets[i] == list[i]);
    if (weighted) CHECK(in[i] == weight_of(list[i], rank) && out[i] == weight_of(rank, list[i]));
  }
  if (rank < vertices) talk(made);
  check_order(from, made);
  tell_cut(weighted ? "adjacent weighted" : "adjacent", made);
  MPI_Comm_free(&made);
}

/* A ring, in which nobody's sources are its targets; rank 0 has no neighbour, rank 1 itself as well. */
static void one_way(MPI_Comm from) {
  int rank, size, source[2], target[2], in[2], out[2];
  MPI_Comm_rank(from, &rank);
  MPI_Comm_size(from, &size);
  const int length = size - 1; /* of the ring of ranks 1 .. size - 1 */
  const int degree = rank == 0 ? 0 : rank == 1 ? 2 : 1;
  source[0] = 1 + (rank - 1 + length - 1) % length;
  target[0] = 1 + rank % length;
  source[1] = target[1] = 1;
  in[0] = source[0] + 1;
  out[0] = rank + 1;
  in[1] = out[1] = 77;
  MPI_Comm made;
  MPI_Dist_graph_create_adjacent(from, degree, source, degree ? in : MPI_WEIGHTS_EMPTY, degree,
                                 target, degree ? out : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 1, &made);
  MPI_Comm_rank(made, &rank);
  int ins, outs, weighted, got = -1;
  MPI_Dist_graph_neighbors_count(made, &ins, &outs, &weighted);
  CHECK(weighted && ins == outs && ins == (rank == 0 ? 0 : rank == 1 ? 2 : 1));
  MPI_Dist_graph_neighbors(made, ins, source, in, outs, target, out);
  if (rank > 0) {
    CHECK(source[0] == 1 + (rank - 1 + length - 1) % length && in[0] == source[0] + 1);
    CHECK(target[0] == 1 + rank % length && out[0] == rank + 1);
    MPI_Sendrecv(&rank, 1, MPI_INT, target[0], 0, &got, 1, MPI_INT, source[0], 0, made,
                 MPI_STATUS_IGNORE);
    CHECK(got == source[0]);
  }
  if (rank == 1) CHECK(source[1] == 1 && target[1] == 1 && in[1] == 77 && out[1] == 77);
  MPI_Comm_free(&made);
}

/* Open MPI's own reordering would bind the process to another core here. */
static void alone(void) {
  cpu_set_t before, after;
  sched_getaffinity(0, sizeof before, &before);
  int none = 0, itself = 0;
  int* volatile unweighted = MPI_UNWEIGHTED; /* the compiler would look behind the constant */
  MPI_Comm made;
  MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, &itself, unweighted, 1, &itself,
                                 unweighted, MPI_INFO_NULL, 1, &made);
  MPI_Comm_free(&made);
  MPI_Dist_graph_create(MPI_COMM_SELF, 1, &itself, &none, &itself, unweighted, MPI_INFO_NULL, 1,
                        &made);
  MPI_Comm_free(&made);
  sched_getaffinity(0, sizeof after, &after);
  CHECK(CPU_EQUAL(&before, &after));
}

/* Every rank declares the edges of some other vertex. */
static void distributed(MPI_Comm from) {
  int rank, size, list[most_degree], weights[most_degree];
  MPI_Comm_rank(from, &rank);
  MPI_Comm_size(from, &size);
  const int vertex = (rank + 3) % size;
  const int degree = vertex < vertices ? neighbours(vertex, list) : 0;
  for (int i = 0; i < degree; ++i) weights[i] = weight_of(vertex, list[i]);
  MPI_Comm made;
  MPI_Dist_graph_create(from, 1, &vertex, &degree, list, weights, MPI_INFO_NULL, 1, &made);
  int ins, outs, is_weighted, sources[most_degree], targets[most_degree], in[most_degree];
  MPI_Comm_rank(made, &rank);
  const int expected = rank < vertices ? neighbours(rank, list) : 0;
  MPI_Dist_graph_neighbors_count(made, &ins, &outs, &is_weighted);
  CHECK(ins == expected && outs == expected && is_weighted);
  MPI_Dist_graph_neighbors(made, ins, sources, in, outs, targets, weights);
  for (int i = 0; i < outs; ++i) {
    int known = 0;
    for (int k = 0; k < expected; ++k) known |= targets[i] == list[k];
    CHECK(known && weights[i] == weight_of(rank, targets[i]));
    CHECK(in[i] == weight_of(sources[i], rank));
  }
  int sent = rank, got[most_degree];
  MPI_Neighbor_allgather(&sent, 1, MPI_INT, got, 1, MPI_INT, made);
  for (int i = 0; i < ins; ++i) CHECK(got[i] == sources[i]);
  tell_cut("distributed", made);
  MPI_Comm_free(&made);
}

/* What is wrong is said by the library, as it would be without Kith. */
static void wrong_arguments(void) {
  MPI_Comm made = MPI_COMM_NULL, checked;
  MPI_Comm_dup(MPI_COMM_WORLD, &checked);
  MPI_Comm_set_errhandler(checked, MPI_ERRORS_RETURN);
  int too_many = 1 << 20, none = 0;
  CHECK(MPI_Cart_create(checked, 1, &too_many, &none, 1, &made) != MPI_SUCCESS);
  CHECK(MPI_Cart_create(checked, -1, &too_many, &none, 1, &made) != MPI_SUCCESS);
  MPI_Comm_free(&checked);
}

/* The number of this process's host: of so many launcher ranks, or one that its processes share. */
static int host_number(int width) {
  if (width > 0) return launcher_rank / width;
  int least;
  MPI_Comm shared;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
  MPI_Allreduce(&launcher_rank, &least, 1, MPI_INT, MPI_MIN, shared);
  MPI_Comm_free(&shared);
  return least;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  CHECK(argc > 3 && argc <= 7);
  still = strcmp(argv[2], "still") == 0;
  const char* const open_mpi_rank = getenv("OMPI_COMM_WORLD_RANK");
  launcher_rank = atoi(open_mpi_rank != NULL ? open_mpi_rank : getenv("PMI_RANK"));
  host = host_number(atoi(argv[1]));
  for (int i = 3; i < argc; ++i, ++dimensions) {
    extents[dimensions] = abs(atoi(argv[i]));
    periodic[dimensions] = atoi(argv[i]) < 0;
    vertices *= extents[dimensions];
  }
  wrong_arguments();
  grid(MPI_COMM_WORLD);
  graph(MPI_COMM_WORLD);
  adjacent(MPI_COMM_WORLD, 0);
  adjacent(MPI_COMM_WORLD, 1);
  distributed(MPI_COMM_WORLD);
  one_way(MPI_COMM_WORLD);
  if (!still) alone();

  /* The same on a communicator of other ranks, which is none of the launcher's order. */
  MPI_Comm turned, same;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -launcher_rank, &turned);
  const int asked = still;
  still = 0;
  label = "turned ";
  grid(turned);
  adjacent(turned, 1);
  still = asked;
  MPI_Comm_free(&turned);

  /* reorder=0 is left alone. */
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, extents, periodic, 0, &same);
  if (same != MPI_COMM_NULL) {
    int before, after;
    MPI_Comm_rank(MPI_COMM_WORLD, &before);
    MPI_Comm_rank(same, &after);
    CHECK(before == after);
    MPI_Comm_free(&same);
  }
  MPI_Finalize();
  return 0;
}
