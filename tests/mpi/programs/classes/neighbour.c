/* Neighbourhood collectives: a unit to either neighbour of a ring; on a graph, to the right one. */
#include "forms.h"

FORMS(allgather, Neighbor_allgather, neighbor_allgather, out, ints, MPI_INT, in, ints, MPI_INT,
      ring)
FORMS(allgatherv, Neighbor_allgatherv, neighbor_allgatherv, out, ints, MPI_INT, in, counts, int_at,
      MPI_INT, ring)
FORMS(alltoall, Neighbor_alltoall, neighbor_alltoall, out, ints, MPI_INT, in, ints, MPI_INT, ring)
FORMS(alltoallv, Neighbor_alltoallv, neighbor_alltoallv, out, counts, int_at, MPI_INT, in, counts,
      int_at, MPI_INT, ring)
FORMS(alltoallw, Neighbor_alltoallw, neighbor_alltoallw, out, counts, far_at, types, in, counts,
      far_at, types, ring)
FORMS(graph_allgather, Neighbor_allgather, neighbor_allgather, out, ints, MPI_INT, in, ints,
      MPI_INT, graph)
FORMS(graph_alltoall, Neighbor_alltoall, neighbor_alltoall, out, ints, MPI_INT, in, ints, MPI_INT,
      graph)
FORMS(graph_alltoallv, Neighbor_alltoallv, neighbor_alltoallv, out, counts, int_at, MPI_INT, in,
      counts, int_at, MPI_INT, graph)

const Section neighbour_sections[] = {
    SECTIONS(allgather),      SECTIONS(allgatherv),      SECTIONS(alltoall),
    SECTIONS(alltoallv),      SECTIONS(alltoallw),       SECTIONS(graph_allgather),
    SECTIONS(graph_alltoall), SECTIONS(graph_alltoallv), {NULL, NULL},
};
