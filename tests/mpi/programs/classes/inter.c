/* Collectives between two groups of one rank each: from place 0, the root, to place 1, or both
 * ways. */
#include "forms.h"

/* The root's group says who is root, the other group where it sits. */
#define ROOT (place == 0 ? MPI_ROOT : 0)

FORMS(barrier, Barrier, barrier, across)
FORMS(bcast, Bcast, bcast, in, ints, MPI_INT, ROOT, across)
FORMS(reduce, Reduce, reduce, out, in, ints, MPI_INT, MPI_SUM, ROOT, across)
FORMS(allreduce, Allreduce, allreduce, out, in, ints, MPI_INT, MPI_SUM, across)
FORMS(gather, Gather, gather, out, ints, MPI_INT, in, ints, MPI_INT, ROOT, across)
FORMS(gatherv, Gatherv, gatherv, out, ints, MPI_INT, in, counts, int_at, MPI_INT, ROOT, across)
FORMS(scatter, Scatter, scatter, out, ints, MPI_INT, in, ints, MPI_INT, ROOT, across)
FORMS(scatterv, Scatterv, scatterv, out, counts, int_at, MPI_INT, in, ints, MPI_INT, ROOT, across)
FORMS(allgather, Allgather, allgather, out, ints, MPI_INT, in, ints, MPI_INT, across)
FORMS(allgatherv, Allgatherv, allgatherv, out, ints, MPI_INT, in, counts, int_at, MPI_INT, across)
FORMS(alltoall, Alltoall, alltoall, out, ints, MPI_INT, in, ints, MPI_INT, across)
FORMS(alltoallv, Alltoallv, alltoallv, out, counts, int_at, MPI_INT, in, counts, int_at, MPI_INT,
      across)
FORMS(alltoallw, Alltoallw, alltoallw, out, counts, byte_at, types, in, counts, byte_at, types,
      across)
FORMS(reduce_scatter_block, Reduce_scatter_block, reduce_scatter_block, out, in, ints, MPI_INT,
      MPI_SUM, across)

const Section inter_sections[] = {
    SECTIONS(barrier),   SECTIONS(bcast),
    SECTIONS(reduce),    SECTIONS(allreduce),
    SECTIONS(gather),    SECTIONS(gatherv),
    SECTIONS(scatter),   SECTIONS(scatterv),
    SECTIONS(allgather), SECTIONS(allgatherv),
    SECTIONS(alltoall),  SECTIONS(alltoallv),
    SECTIONS(alltoallw), SECTIONS(reduce_scatter_block),
    {NULL, NULL},
};
