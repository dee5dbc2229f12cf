/* Between two groups. */
#include "sweep.h"

/* The lower half of the world, and the upper. */
void between(int bytes, int n, MPI_Datatype type) {
  static MPI_Comm half = MPI_COMM_NULL, both = MPI_COMM_NULL;
  const int upper = rank >= ranks / 2;
  if (both == MPI_COMM_NULL) {
    /* past Kith: what making them sends is no case of ours */
    PMPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);
    PMPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : ranks / 2, 0, &both);
  }
  int local, position;
  MPI_Comm_size(half, &local);
  MPI_Comm_rank(half, &position);
  comm = both;
  MPI_Comm_remote_size(comm, &peers);
  begin();
  /* the root is the last rank of the lower half */
  const int root_rank = ranks / 2 - 1;
  const int root = upper ? root_rank : position == root_rank ? MPI_ROOT : MPI_PROC_NULL;
  if ((size_t)bytes * (size_t)ranks > room) return;
  barriers();
  done("inter.barrier", bytes);
  RUN(Bcast, bcast, out, n, type, root, comm);
  done("inter.bcast", bytes);
  RUN(Reduce, reduce, out, in, n, type, MPI_BXOR, root, comm);
  done("inter.reduce", bytes);
  RUN(Allreduce, allreduce, out, in, n, type, MPI_BXOR, comm);
  done("inter.allreduce", bytes);
  RUN(Gather, gather, out, n, type, in, n, type, root, comm);
  done("inter.gather", bytes);
  RUN(Scatter, scatter, out, n, type, in, n, type, root, comm);
  done("inter.scatter", bytes);
  RUN(Allgather, allgather, out, n, type, in, n, type, comm);
  done("inter.allgather", bytes);
  RUN(Alltoall, alltoall, out, n, type, in, n, type, comm);
  done("inter.alltoall", bytes);
  /* what a rank cannot know of its group it has to guess: equal blocks here */
  for (int i = 0; i < ranks; ++i) {
    counts[i] = n;
    places[i] = n * i;
  }
  RUN(Gatherv, gatherv, out, n, type, in, counts, places, type, root, comm);
  done("inter.gatherv", bytes);
  RUN(Scatterv, scatterv, out, counts, places, type, in, n, type, root, comm);
  done("inter.scatterv", bytes);
  RUN(Allgatherv, allgatherv, out, n, type, in, counts, places, type, comm);
  done("inter.allgatherv", bytes);
  /* both groups have to reduce as many elements */
  if (ranks % 2 == 0) {
    RUN(Reduce_scatter_block, reduce_scatter_block, out, in, n, type, MPI_BXOR, comm);
    done("inter.reduce_scatter_block", bytes);
    for (int i = 0; i < local; ++i) counts[i] = n + i;
    RUN(Reduce_scatter, reduce_scatter, out, in, counts, type, MPI_BXOR, comm);
    done("inter.reduce_scatter", bytes);
  }
  const int element = bytes % 4 == 0 ? 4 : 1;
  for (int i = 0; i < peers; ++i) {
    counts[i] = (position + i) % 4 == 3 ? 0 : n;
    places[i] = i * n;
    bytes_at[i] = i * n * element;
    types[i] = type;
  }
  RUN(Alltoallv, alltoallv, out, counts, places, type, in, counts, places, type, comm);
  done("inter.alltoallv", bytes);
  RUN(Alltoallw, alltoallw, out, counts, bytes_at, types, in, counts, bytes_at, types, comm);
  done("inter.alltoallw", bytes);
}
