/* Within one group. */
#include <stdio.h>

#include "sweep.h"

/* Blocks of about `count` elements, some empty; returns their sum, or -1 if they do not fit. */
static int unequal(int count, int element) {
  int sum = 0;
  for (int i = 0; i < peers; ++i) {
    counts[i] = i % 4 == 3 ? 0 : count + i % 3;
    places[i] = sum;
    bytes_at[i] = sum * element;
    addresses[i] = (MPI_Aint)sum * element;
    sum += counts[i];
  }
  return (size_t)sum * (size_t)element <= room ? sum : -1;
}

static int roots(int list[3]) {
  list[0] = 0;
  list[1] = 1;
  list[2] = peers - 1;
  return peers > 2 ? 3 : 2;
}

static void rooted(int bytes, int n, MPI_Datatype type, int root) {
  const int here = rank == root;
  char name[64];
#define DONE(what) (snprintf(name, sizeof name, "%s@%d", what, root), done(name, bytes))
  RUN(Bcast, bcast, out, n, type, root, comm);
  DONE("bcast");
  RUN(Reduce, reduce, out, in, n, type, MPI_BXOR, root, comm);
  DONE("reduce");
  RUN(Reduce, reduce, here ? MPI_IN_PLACE : out, in, n, type, MPI_BXOR, root, comm);
  DONE("reduce.inplace");
  RUN(Reduce, reduce, out, in, n, type, in_order, root, comm);
  DONE("reduce.inorder");
  const int element = bytes % 4 == 0 ? 4 : 1;
  if ((size_t)bytes * (size_t)peers <= room) {
    RUN(Gather, gather, out, n, type, in, n, type, root, comm);
    DONE("gather");
    RUN(Gather, gather, here ? MPI_IN_PLACE : out, n, type, in, n, type, root, comm);
    DONE("gather.inplace");
    RUN(Scatter, scatter, out, n, type, in, n, type, root, comm);
    DONE("scatter");
    RUN(Scatter, scatter, out, n, type, here ? MPI_IN_PLACE : in, n, type, root, comm);
    DONE("scatter.inplace");
  }
  if (unequal(n, element) >= 0) {
    RUN(Gatherv, gatherv, out, counts[rank], type, in, counts, places, type, root, comm);
    DONE("gatherv");
    RUN(Scatterv, scatterv, out, counts, places, type, in, counts[rank], type, root, comm);
    DONE("scatterv");
  }
#undef DONE
}

static void to_all(int bytes, int n, MPI_Datatype type, MPI_Op op, const char* suffix) {
  char name[64];
#define DONE(what) (snprintf(name, sizeof name, "%s%s", what, suffix), done(name, bytes))
  const int element = bytes % 4 == 0 ? 4 : 1;
  RUN(Allreduce, allreduce, out, in, n, type, op, comm);
  DONE("allreduce");
  RUN(Scan, scan, out, in, n, type, op, comm);
  DONE("scan");
  RUN(Exscan, exscan, out, in, n, type, op, comm);
  DONE("exscan");
  if ((size_t)bytes * (size_t)peers <= room) {
    RUN(Reduce_scatter_block, reduce_scatter_block, out, in, n, type, op, comm);
    DONE("reduce_scatter_block");
  }
  if (unequal(n, element) >= 0) {
    RUN(Reduce_scatter, reduce_scatter, out, in, counts, type, op, comm);
    DONE("reduce_scatter");
  }
#undef DONE
}

static void among_all(int bytes, int n, MPI_Datatype type) {
  const int element = bytes % 4 == 0 ? 4 : 1;
  RUN(Allreduce, allreduce, MPI_IN_PLACE, in, n, type, MPI_BXOR, comm);
  done("allreduce.inplace", bytes);
  if ((size_t)bytes * (size_t)peers <= room) {
    RUN(Allgather, allgather, out, n, type, in, n, type, comm);
    done("allgather", bytes);
    RUN(Allgather, allgather, MPI_IN_PLACE, n, type, in, n, type, comm);
    done("allgather.inplace", bytes);
    RUN(Alltoall, alltoall, out, n, type, in, n, type, comm);
    done("alltoall", bytes);
    RUN(Alltoall, alltoall, MPI_IN_PLACE, n, type, in, n, type, comm);
    done("alltoall.inplace", bytes);
    RUN(Reduce_scatter_block, reduce_scatter_block, MPI_IN_PLACE, in, n, type, MPI_BXOR, comm);
    done("reduce_scatter_block.inplace", bytes);
  }
  if (unequal(n, element) >= 0) {
    RUN(Allgatherv, allgatherv, out, counts[rank], type, in, counts, places, type, comm);
    done("allgatherv", bytes);
    RUN(Allgatherv, allgatherv, MPI_IN_PLACE, 0, type, in, counts, places, type, comm);
    done("allgatherv.inplace", bytes);
    RUN(Reduce_scatter, reduce_scatter, MPI_IN_PLACE, in, counts, type, MPI_BXOR, comm);
    done("reduce_scatter.inplace", bytes);
  }
}

/* Blocks whose size depends on both ends, as sender and receiver see it. */
static void personal(int bytes, int n, MPI_Datatype type) {
  const int element = bytes % 4 == 0 ? 4 : 1;
  int sum = 0;
  for (int i = 0; i < peers; ++i) {
    counts[i] = (rank + i) % 4 == 3 ? 0 : n + (rank + i) % 3;
    places[i] = sum;
    bytes_at[i] = sum * element;
    types[i] = type;
    sum += counts[i];
  }
  if ((size_t)sum * (size_t)element > room) return;
  RUN(Alltoallv, alltoallv, out, counts, places, type, in, counts, places, type, comm);
  done("alltoallv", bytes);
  RUN(Alltoallw, alltoallw, out, counts, bytes_at, types, in, counts, bytes_at, types, comm);
  done("alltoallw", bytes);
  if (comm != MPI_COMM_WORLD) return; /* between groups there is no in place */
  RUN(Alltoallv, alltoallv, MPI_IN_PLACE, counts, places, type, in, counts, places, type, comm);
  done("alltoallv.inplace", bytes);
  RUN(Alltoallw, alltoallw, MPI_IN_PLACE, counts, bytes_at, types, in, counts, bytes_at, types,
      comm);
  done("alltoallw.inplace", bytes);
}

void within(int bytes, int n, MPI_Datatype type) {
  comm = MPI_COMM_WORLD;
  peers = ranks;
  int list[3];
  const int how_many = roots(list);
  barriers();
  done("barrier", bytes);
  for (int i = 0; i < how_many; ++i) rooted(bytes, n, type, list[i]);
  to_all(bytes, n, type, MPI_BXOR, "");
  to_all(bytes, n, type, in_order, ".inorder");
  among_all(bytes, n, type);
  personal(bytes, n, type);
}
