/* The same messages by calls with ints, or with large counts (MPI 4): each collective once, with
 * blocks of unequal sizes where it has them.
 *
 * large_counts int|large */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { block = 300, most_ranks = 64, most = most_ranks * most_ranks * block };

static int in[most], out[most];
static int rank, ranks;

/* `C`: nothing or _c; `COUNT`: int or MPI_Count; `SHIFT`: int or MPI_Aint. */
#define DEFINE_ALL(NAME, C, COUNT, SHIFT)                                                        \
  static void NAME(MPI_Comm comm) {                                                              \
    COUNT counts[most_ranks], equal[most_ranks];                                                 \
    SHIFT at[most_ranks];                                                                        \
    MPI_Datatype types[most_ranks];                                                              \
    SHIFT bytes_at[most_ranks];                                                                  \
    for (int i = 0; i < ranks; ++i) {                                                            \
      counts[i] = block / (i + 1), equal[i] = block, at[i] = i * block, types[i] = MPI_INT;      \
      bytes_at[i] = at[i] * (SHIFT)sizeof(int);                                                  \
    }                                                                                            \
    const COUNT mine = counts[rank];                                                             \
    MPI_Bcast##C(out, block, MPI_INT, 1, comm);                                                  \
    MPI_Reduce##C(out, in, block, MPI_INT, MPI_SUM, 0, comm);                                    \
    MPI_Allreduce##C(out, in, block, MPI_INT, MPI_MAX, comm);                                    \
    MPI_Gather##C(out, block, MPI_INT, in, block, MPI_INT, 1, comm);                             \
    MPI_Gatherv##C(out, mine, MPI_INT, in, counts, at, MPI_INT, 0, comm);                        \
    MPI_Scatter##C(out, block, MPI_INT, in, block, MPI_INT, 1, comm);                            \
    MPI_Scatterv##C(out, counts, at, MPI_INT, in, mine, MPI_INT, 0, comm);                       \
    MPI_Allgather##C(out, block, MPI_INT, in, block, MPI_INT, comm);                             \
    MPI_Allgatherv##C(out, mine, MPI_INT, in, counts, at, MPI_INT, comm);                        \
    MPI_Alltoall##C(out, block, MPI_INT, in, block, MPI_INT, comm);                              \
    MPI_Alltoallv##C(out, equal, at, MPI_INT, in, equal, at, MPI_INT, comm);                     \
    MPI_Alltoallw##C(out, equal, bytes_at, types, in, equal, bytes_at, types, comm);             \
    MPI_Reduce_scatter##C(out, in, counts, MPI_INT, MPI_SUM, comm);                              \
    MPI_Reduce_scatter_block##C(out, in, block, MPI_INT, MPI_SUM, comm);                         \
    MPI_Scan##C(out, in, block, MPI_INT, MPI_SUM, comm);                                         \
    MPI_Exscan##C(out, in, block, MPI_INT, MPI_SUM, comm);                                       \
    MPI_Request request;                                                                         \
    MPI_Iallgatherv##C(out, mine, MPI_INT, in, counts, at, MPI_INT, comm, &request);             \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                                       \
    MPI_Ibcast##C(out, block, MPI_INT, 0, comm, &request);                                       \
    MPI_Wait(&request, MPI_STATUS_IGNORE);                                                       \
    MPI_Neighbor_allgather##C(out, block, MPI_INT, in, block, MPI_INT, comm);                    \
    MPI_Neighbor_alltoallv##C(out, equal, at, MPI_INT, in, equal, at, MPI_INT, comm);            \
    MPI_Neighbor_alltoallw##C(out, equal, byte_shifts, types, in, equal, byte_shifts, types,     \
                              comm);                                                             \
  }

static MPI_Aint byte_shifts[most_ranks];

DEFINE_ALL(with_ints, , int, int)
DEFINE_ALL(with_large_counts, _c, MPI_Count, MPI_Aint)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(ranks <= most_ranks);
  for (int i = 0; i < most; ++i) out[i] = rank + i;
  for (int i = 0; i < ranks; ++i) byte_shifts[i] = i * block * (MPI_Aint)sizeof(int);
  MPI_Comm ring;
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &ring);
  (argc > 1 && strcmp(argv[1], "large") == 0 ? with_large_counts : with_ints)(ring);
  long sum = 0;
  for (int i = 0; i < most; ++i) sum += in[i];
  printf("rank %d: sum %ld\n", rank, sum);
  MPI_Finalize();
  return 0;
}
