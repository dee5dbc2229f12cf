/* Collectives of two ranks, where all algorithms move the same: a unit from place 0, the root, to
 * place 1, or back, or both. */
#include "forms.h"

/* MPI_IN_PLACE on the root, `buffer` elsewhere; and the other way round. */
#define ON_ROOT(buffer) (place == 0 ? MPI_IN_PLACE : (void*)(buffer))

FORMS(barrier, Barrier, barrier, pair)
FORMS(bcast, Bcast, bcast, in, ints, MPI_INT, 0, pair)
FORMS(reduce, Reduce, reduce, out, in, ints, MPI_INT, MPI_SUM, 0, pair)
FORMS(reduce_in_place, Reduce, reduce, ON_ROOT(out), in, ints, MPI_INT, MPI_SUM, 0, pair)
FORMS(allreduce, Allreduce, allreduce, out, in, ints, MPI_INT, MPI_SUM, pair)
FORMS(allreduce_in_place, Allreduce, allreduce, MPI_IN_PLACE, in, ints, MPI_INT, MPI_SUM, pair)
FORMS(gather, Gather, gather, out, ints, MPI_INT, in, ints, MPI_INT, 0, pair)
FORMS(gather_in_place, Gather, gather, ON_ROOT(out), ints, MPI_INT, in, ints, MPI_INT, 0, pair)
FORMS(gatherv, Gatherv, gatherv, out, ints, MPI_INT, in, counts, int_at, MPI_INT, 0, pair)
FORMS(scatter, Scatter, scatter, out, ints, MPI_INT, in, ints, MPI_INT, 0, pair)
FORMS(scatter_in_place, Scatter, scatter, out, ints, MPI_INT, ON_ROOT(in), ints, MPI_INT, 0, pair)
FORMS(scatterv, Scatterv, scatterv, out, counts, int_at, MPI_INT, in, ints, MPI_INT, 0, pair)
FORMS(allgather, Allgather, allgather, out, ints, MPI_INT, in, ints, MPI_INT, pair)
FORMS(allgather_in_place, Allgather, allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, ints,
      MPI_INT, pair)
FORMS(allgatherv, Allgatherv, allgatherv, out, ints, MPI_INT, in, counts, int_at, MPI_INT, pair)
FORMS(alltoall, Alltoall, alltoall, out, ints, MPI_INT, in, ints, MPI_INT, pair)
FORMS(alltoall_in_place, Alltoall, alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, ints, MPI_INT,
      pair)
FORMS(alltoallv, Alltoallv, alltoallv, out, counts, int_at, MPI_INT, in, counts, int_at, MPI_INT,
      pair)
FORMS(alltoallv_in_place, Alltoallv, alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in,
      counts, int_at, MPI_INT, pair)
FORMS(alltoallw, Alltoallw, alltoallw, out, counts, byte_at, types, in, counts, byte_at, types,
      pair)
FORMS(reduce_scatter, Reduce_scatter, reduce_scatter, out, in, counts, MPI_INT, MPI_SUM, pair)
FORMS(reduce_scatter_block, Reduce_scatter_block, reduce_scatter_block, out, in, ints, MPI_INT,
      MPI_SUM, pair)
FORMS(scan, Scan, scan, out, in, ints, MPI_INT, MPI_SUM, pair)
FORMS(exscan, Exscan, exscan, out, in, ints, MPI_INT, MPI_SUM, pair)

const Section coll_sections[] = {
    SECTIONS(barrier),
    SECTIONS(bcast),
    SECTIONS(reduce),
    SECTIONS(reduce_in_place),
    SECTIONS(allreduce),
    SECTIONS(allreduce_in_place),
    SECTIONS(gather),
    SECTIONS(gather_in_place),
    SECTIONS(gatherv),
    SECTIONS(scatter),
    SECTIONS(scatter_in_place),
    SECTIONS(scatterv),
    SECTIONS(allgather),
    SECTIONS(allgather_in_place),
    SECTIONS(allgatherv),
    SECTIONS(alltoall),
    SECTIONS(alltoall_in_place),
    SECTIONS(alltoallv),
    SECTIONS(alltoallv_in_place),
    SECTIONS(alltoallw),
    SECTIONS(reduce_scatter),
    SECTIONS(reduce_scatter_block),
    SECTIONS(scan),
    SECTIONS(exscan),
    {NULL, NULL},
};
