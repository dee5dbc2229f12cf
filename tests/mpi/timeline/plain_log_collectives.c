/* The plain log's calls: collectives, windows, and what makes communicators. */
#include "plain_log.h"
#include "support/persistent.h"

/* Calls without data that the library answers itself are no events. */
enum { always = 0, no_data_blocking = 1, no_data_nonblocking = 2, no_data_any = 3 };

#define UNWRAP(...) __VA_ARGS__

/* Blocking and nonblocking: `skip` says which of the two is no event without data (`data` 0). */
#define BLOCKING(Name, PARAMETERS, ARGUMENTS, root, bytes, data, skip)                       \
  int MPI_##Name(UNWRAP PARAMETERS) {                                                        \
    WRAP(NEXT(MPI_##Name)(UNWRAP ARGUMENTS),                                                 \
         if ((data) != 0 || !((skip)&no_data_blocking))                                      \
             log_collective("MPI_" #Name, comm, root, bytes, blocks, NULL));                 \
  }
#define STARTING(Name, IName, PARAMETERS, ARGUMENTS, root, bytes, data, skip)                \
  int MPI_##IName(UNWRAP PARAMETERS, MPI_Request* request) {                                 \
    WRAP(NEXT(MPI_##IName)(UNWRAP ARGUMENTS, request),                                       \
         if ((data) != 0 || !((skip)&no_data_nonblocking))                                   \
             log_collective("MPI_" #Name, comm, root, bytes, starts, request));              \
  }
#if defined(PERSISTENT)
#define PREPARING(Name, PARAMETERS, ARGUMENTS, root, bytes)                                  \
  int PERSISTENT(Name)(UNWRAP PARAMETERS, MPI_Info info, MPI_Request * request) {            \
    WRAP(NEXT(PERSISTENT(Name))(UNWRAP ARGUMENTS, info, request),                            \
         log_collective("MPI_" #Name, comm, root, bytes, prepares, request));                \
  }
#else
#define PREPARING(Name, PARAMETERS, ARGUMENTS, root, bytes)
#endif
#define ALL(Name, IName, PARAMETERS, ARGUMENTS, root, bytes, data, skip)                     \
  BLOCKING(Name, PARAMETERS, ARGUMENTS, root, bytes, data, skip)                             \
  STARTING(Name, IName, PARAMETERS, ARGUMENTS, root, bytes, data, skip)                      \
  PREPARING(Name, PARAMETERS, ARGUMENTS, root, bytes)

/* Bytes that a rank sends to a root that it is not, or -1. */
static long long to_root(MPI_Comm comm, int root, long long bytes) {
  int rank = 0, inter = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) return root >= 0 ? bytes : -1;
  return rank == root ? -1 : bytes;
}

static long long unless_in_place(const void* buffer, long long bytes) {
  return buffer == MPI_IN_PLACE ? -1 : bytes;
}

ALL(Barrier, Ibarrier, (MPI_Comm comm), (comm), log_no_root, 0, 1, always)
ALL(Bcast, Ibcast, (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
    (buffer, count, type, root, comm), root, log_bytes(count, type), count, no_data_any)
ALL(Reduce, Ireduce, (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
    (in, out, count, type, op, root, comm), root, log_bytes(count, type), count, no_data_any)
ALL(Allreduce, Iallreduce, (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (in, out, count, type, op, comm), log_no_root, log_bytes(count, type), count, no_data_any)
ALL(Scan, Iscan, (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (in, out, count, type, op, comm), log_no_root, log_bytes(count, type), count, no_data_any)
ALL(Exscan, Iexscan, (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (in, out, count, type, op, comm), log_no_root, log_bytes(count, type), count, no_data_blocking)
ALL(Reduce_scatter_block, Ireduce_scatter_block, (const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (in, out, count, type, op, comm), log_no_root, log_bytes(count, type), count, no_data_any)
ALL(Reduce_scatter, Ireduce_scatter, (const void* in, void* out, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    (in, out, counts, type, op, comm), log_no_root, -1, 1, always)

ALL(Gather, Igather, (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
    (out, out_count, out_type, in, in_count, in_type, root, comm), root,
    to_root(comm, root, log_bytes(out_count, out_type)), 1, always)
ALL(Gatherv, Igatherv, (const void* out, int out_count, MPI_Datatype out_type, void* in, const int in_counts[], const int places[], MPI_Datatype in_type, int root, MPI_Comm comm),
    (out, out_count, out_type, in, in_counts, places, in_type, root, comm), root,
    to_root(comm, root, log_bytes(out_count, out_type)), 1, always)
ALL(Scatter, Iscatter, (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
    (out, out_count, out_type, in, in_count, in_type, root, comm), root,
    to_root(comm, root, log_bytes(in_count, in_type)), 1, always)
ALL(Scatterv, Iscatterv, (const void* out, const int out_counts[], const int places[], MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
    (out, out_counts, places, out_type, in, in_count, in_type, root, comm), root, -1, 1, always)
ALL(Allgather, Iallgather, (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
    (out, out_count, out_type, in, in_count, in_type, comm), log_no_root,
    unless_in_place(out, log_bytes(out_count, out_type)), 1, always)
ALL(Allgatherv, Iallgatherv, (const void* out, int out_count, MPI_Datatype out_type, void* in, const int in_counts[], const int places[], MPI_Datatype in_type, MPI_Comm comm),
    (out, out_count, out_type, in, in_counts, places, in_type, comm), log_no_root,
    unless_in_place(out, log_bytes(out_count, out_type)), 1, always)
ALL(Alltoall, Ialltoall, (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
    (out, out_count, out_type, in, in_count, in_type, comm), log_no_root,
    unless_in_place(out, log_bytes(out_count, out_type)), 1, always)
ALL(Alltoallv, Ialltoallv, (const void* out, const int out_counts[], const int out_places[], MPI_Datatype out_type, void* in, const int in_counts[], const int in_places[], MPI_Datatype in_type, MPI_Comm comm),
    (out, out_counts, out_places, out_type, in, in_counts, in_places, in_type, comm), log_no_root, -1, 1, always)
ALL(Alltoallw, Ialltoallw, (const void* out, const int out_counts[], const int out_places[], const MPI_Datatype out_types[], void* in, const int in_counts[], const int in_places[], const MPI_Datatype in_types[], MPI_Comm comm),
    (out, out_counts, out_places, out_types, in, in_counts, in_places, in_types, comm), log_no_root, -1, 1, always)

ALL(Neighbor_allgather, Ineighbor_allgather, (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
    (out, out_count, out_type, in, in_count, in_type, comm), log_no_root, -1, out_count, no_data_blocking)
ALL(Neighbor_alltoall, Ineighbor_alltoall, (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
    (out, out_count, out_type, in, in_count, in_type, comm), log_no_root, -1, out_count, no_data_blocking)
ALL(Neighbor_allgatherv, Ineighbor_allgatherv, (const void* out, int out_count, MPI_Datatype out_type, void* in, const int in_counts[], const int places[], MPI_Datatype in_type, MPI_Comm comm),
    (out, out_count, out_type, in, in_counts, places, in_type, comm), log_no_root, -1, 1, always)
ALL(Neighbor_alltoallv, Ineighbor_alltoallv, (const void* out, const int out_counts[], const int out_places[], MPI_Datatype out_type, void* in, const int in_counts[], const int in_places[], MPI_Datatype in_type, MPI_Comm comm),
    (out, out_counts, out_places, out_type, in, in_counts, in_places, in_type, comm), log_no_root, -1, 1, always)

/* --- communicators ------------------------------------------------------------------------------ */

#define SETUP "making communicators and windows"

#define MAKES(Name, PARAMETERS, ARGUMENTS, made)                                       \
  int MPI_##Name(UNWRAP PARAMETERS) {                                                  \
    WRAP(NEXT(MPI_##Name)(UNWRAP ARGUMENTS), log_setup(SETUP); log_made_comm(*(made))); \
  }

MAKES(Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made), made)
MAKES(Comm_idup, (MPI_Comm comm, MPI_Comm* made, MPI_Request* request), (comm, made, request), made)
MAKES(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made), made)
MAKES(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made), (comm, group, tag, made), made)
MAKES(Comm_split, (MPI_Comm comm, int colour, int key, MPI_Comm* made), (comm, colour, key, made), made)
MAKES(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made), (comm, type, key, info, made), made)
MAKES(Intercomm_create, (MPI_Comm local, int leader, MPI_Comm peers, int remote, int tag, MPI_Comm* made), (local, leader, peers, remote, tag, made), made)
MAKES(Intercomm_merge, (MPI_Comm between, int high, MPI_Comm* made), (between, high, made), made)
MAKES(Cart_create, (MPI_Comm comm, int dims, const int extents[], const int periodic[], int reorder, MPI_Comm* made), (comm, dims, extents, periodic, reorder, made), made)
MAKES(Cart_sub, (MPI_Comm comm, const int kept[], MPI_Comm* made), (comm, kept, made), made)
MAKES(Graph_create, (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm* made), (comm, nodes, index, edges, reorder, made), made)
MAKES(Dist_graph_create_adjacent, (MPI_Comm comm, int in, const int sources[], const int in_weights[], int out, const int destinations[], const int out_weights[], MPI_Info info, int reorder, MPI_Comm* made),
      (comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, made), made)

int MPI_Comm_free(MPI_Comm* comm) {
  const MPI_Comm before = *comm;
  WRAP(NEXT(MPI_Comm_free)(comm), log_setup(SETUP); log_freed_comm(before));
}

/* --- windows ------------------------------------------------------------------------------------ */

#define MAKES_WINDOW(Name, PARAMETERS, ARGUMENTS)                                             \
  int MPI_##Name(UNWRAP PARAMETERS) {                                                         \
    WRAP(NEXT(MPI_##Name)(UNWRAP ARGUMENTS), log_setup(SETUP); log_made_window(*window));     \
  }
MAKES_WINDOW(Win_create, (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* window), (base, size, unit, info, comm, window))
MAKES_WINDOW(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window), (size, unit, info, comm, base, window))

int MPI_Win_free(MPI_Win* window) {
  const MPI_Win before = *window;
  WRAP(NEXT(MPI_Win_free)(window), log_setup(SETUP); log_freed_window(before));
}

#define EPOCH(Name, Shown, PARAMETERS, ARGUMENTS, peer)                                       \
  int MPI_##Name(UNWRAP PARAMETERS) {                                                         \
    WRAP(NEXT(MPI_##Name)(UNWRAP ARGUMENTS), log_plain("MPI_" #Shown, log_window_number(window), peer)); \
  }
EPOCH(Win_fence, Win_fence, (int assert, MPI_Win window), (assert, window), -1)
EPOCH(Win_lock_all, Win_lock_all, (int assert, MPI_Win window), (assert, window), -1)
EPOCH(Win_unlock_all, Win_unlock_all, (MPI_Win window), (window), -1)
EPOCH(Win_flush_all, Win_flush_all, (MPI_Win window), (window), -1)
EPOCH(Win_flush_local_all, Win_flush_all, (MPI_Win window), (window), -1)
EPOCH(Win_lock, Win_lock, (int type, int target, int assert, MPI_Win window), (type, target, assert, window), log_target(window, target))
EPOCH(Win_unlock, Win_unlock, (int target, MPI_Win window), (target, window), log_target(window, target))
EPOCH(Win_flush, Win_flush, (int target, MPI_Win window), (target, window), log_target(window, target))
EPOCH(Win_flush_local, Win_flush, (int target, MPI_Win window), (target, window), log_target(window, target))
EPOCH(Win_post, Win_post, (MPI_Group group, int assert, MPI_Win window), (group, assert, window), -1)
EPOCH(Win_start, Win_start, (MPI_Group group, int assert, MPI_Win window), (group, assert, window), -1)
EPOCH(Win_complete, Win_complete, (MPI_Win window), (window), -1)
EPOCH(Win_wait, Win_wait, (MPI_Win window), (window), -1)

#define ONE_SIDED(Name, PARAMETERS, ARGUMENTS, there, back)                                   \
  int MPI_##Name(UNWRAP PARAMETERS, MPI_Win window) {                                         \
    WRAP(NEXT(MPI_##Name)(UNWRAP ARGUMENTS, window),                                          \
         log_one_sided("MPI_" #Name, window, target, there, back, NULL));                     \
  }
#define WITH_REQUEST(RName, Name, PARAMETERS, ARGUMENTS, there, back)                         \
  int MPI_##RName(UNWRAP PARAMETERS, MPI_Win window, MPI_Request* request) {                  \
    WRAP(NEXT(MPI_##RName)(UNWRAP ARGUMENTS, window, request),                                \
         log_one_sided("MPI_" #Name, window, target, there, back, request));                  \
  }
#define BOTH(Name, RName, PARAMETERS, ARGUMENTS, there, back) \
  ONE_SIDED(Name, PARAMETERS, ARGUMENTS, there, back)         \
  WITH_REQUEST(RName, Name, PARAMETERS, ARGUMENTS, there, back)

BOTH(Put, Rput, (const void* out, int count, MPI_Datatype type, int target, MPI_Aint at, int there, MPI_Datatype there_type),
     (out, count, type, target, at, there, there_type), log_bytes(count, type), 0)
/* what comes back is the size of a get */
BOTH(Get, Rget, (void* in, int count, MPI_Datatype type, int target, MPI_Aint at, int there, MPI_Datatype there_type),
     (in, count, type, target, at, there, there_type), log_bytes(count, type), log_bytes(count, type))
BOTH(Accumulate, Raccumulate, (const void* out, int count, MPI_Datatype type, int target, MPI_Aint at, int there, MPI_Datatype there_type, MPI_Op op),
     (out, count, type, target, at, there, there_type, op), log_bytes(count, type), 0)
BOTH(Get_accumulate, Rget_accumulate, (const void* out, int count, MPI_Datatype type, void* in, int in_count, MPI_Datatype in_type, int target, MPI_Aint at, int there, MPI_Datatype there_type, MPI_Op op),
     (out, count, type, in, in_count, in_type, target, at, there, there_type, op),
     op == MPI_NO_OP ? 0 : log_bytes(count, type), log_bytes(in_count, in_type))
ONE_SIDED(Fetch_and_op, (const void* out, void* in, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op),
          (out, in, type, target, at, op), op == MPI_NO_OP ? 0 : log_bytes(1, type), log_bytes(1, type))
ONE_SIDED(Compare_and_swap, (const void* out, const void* compare, void* in, MPI_Datatype type, int target, MPI_Aint at),
          (out, compare, in, type, target, at), log_bytes(1, type), log_bytes(1, type))
