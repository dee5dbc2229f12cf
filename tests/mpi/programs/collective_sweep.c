/* Every collective, in every way of calling it, one at a time: what did this rank really send?
 *
 * usage: collective_sweep TRUTH GROUPS SIZE...      (GROUPS: within, between, neighbours, making; commas)
 *
 * Open MPI's monitoring calls mca_common_monitoring_record_pml for every message that its message
 * layer sends; the definition here comes first, so each rank knows what each collective sent. It
 * writes a line `CASE PEER BYTES MESSAGES` per peer to TRUTH.RANK and closes a phase named CASE, so
 * that Kith's own count stands in the trace under the same name.
 */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

enum { MOST_RANKS = 64 };
static size_t truth_bytes[MOST_RANKS], truth_messages[MOST_RANKS];

void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag);
void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag) {
  (void)tag;
  if (world_rank < 0 || world_rank >= MOST_RANKS) return;
  truth_bytes[world_rank] += bytes;
  truth_messages[world_rank] += 1;
}

/* Open MPI 4.1.4 asks for the name of a communicator in a table that only its coll/monitoring
 * component makes, which in turn cannot cope with two groups and is left out: answer nothing. */
void mca_common_monitoring_coll_cache_name(void* communicator);
void mca_common_monitoring_coll_cache_name(void* communicator) {
  (void)communicator;
}

static FILE* truth;
static int ranks, rank;         /* of the world */
static MPI_Comm comm;           /* what the cases run on */
static int peers;               /* its size, or that of the other group */
static char *out, *in;          /* buffers of `room` bytes */
static size_t room;
static int *counts, *places;    /* unequal blocks and where they stand, in elements */
static int *bytes_at;           /* the same places in bytes */
static MPI_Aint* addresses;
static MPI_Datatype* types;
static MPI_Op in_order;         /* not commutative */

enum way { BLOCKING, NONBLOCKING, PERSISTENT };
static enum way way;
static MPI_Request request;

static void wait_for_it(void) {
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void start_twice(void) {
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    wait_for_it();
  }
  MPI_Request_free(&request);
}

#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define HAVE_PERSISTENT 1
#define PREPARE(Name, ...) MPIX_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &request)
#else
#define HAVE_PERSISTENT 0
#define PREPARE(Name, ...) abort()
#endif

#define RUN(Name, name, ...)                   \
  do {                                         \
    if (way == BLOCKING) {                     \
      MPI_##Name(__VA_ARGS__);                 \
    } else if (way == NONBLOCKING) {           \
      MPI_I##name(__VA_ARGS__, &request);      \
      wait_for_it();                           \
    } else {                                   \
      PREPARE(Name, __VA_ARGS__);              \
      start_twice();                           \
    }                                          \
  } while (0)

static void begin(void) {
  memset(truth_bytes, 0, sizeof truth_bytes);
  memset(truth_messages, 0, sizeof truth_messages);
}

/* Ends the case that has just run. */
static void done(const char* name, int bytes) {
  static const char* const prefixes[] = {"", "i", "p"};
  char label[128];
  snprintf(label, sizeof label, "%s%s/%d", prefixes[way], name, bytes);
  for (int peer = 0; peer < ranks; ++peer) {
    if (truth_messages[peer] == 0) continue;
    fprintf(truth, "%s %d %zu %zu\n", label, peer, truth_bytes[peer], truth_messages[peer]);
  }
  CHECK(kith_checkpoint(MPI_COMM_WORLD, label) == MPI_SUCCESS);
  begin();
}

static void keeps_order(void* a, void* b, int* length, MPI_Datatype* type) {
  int size;
  MPI_Type_size(*type, &size);
  for (int i = 0; i < size * *length; ++i) ((char*)b)[i] ^= ((char*)a)[i];
}

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

static void barriers(void) {
  if (way == BLOCKING) {
    MPI_Barrier(comm);
  } else if (way == NONBLOCKING) {
    MPI_Ibarrier(comm, &request);
    wait_for_it();
  } else {
    PREPARE(Barrier, comm);
    start_twice();
  }
}

static void within(int bytes, int n, MPI_Datatype type) {
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

/* The lower half of the world, and the upper. */
static void between(int bytes, int n, MPI_Datatype type) {
  static MPI_Comm half = MPI_COMM_NULL, both = MPI_COMM_NULL;
  const int upper = rank >= ranks / 2;
  if (both == MPI_COMM_NULL) {
    MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : ranks / 2, 0, &both);
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

static void along(const char* topology, int incoming, int outgoing, int bytes, int n,
                  MPI_Datatype type) {
  char name[64];
#define DONE(what) (snprintf(name, sizeof name, "%s.%s", topology, what), done(name, bytes))
  const int edges = incoming > outgoing ? incoming : outgoing;
  for (int i = 0; i < edges; ++i) {
    counts[i] = n;
    places[i] = n * i;
    addresses[i] = (MPI_Aint)bytes * i;
    types[i] = type;
  }
  begin();
  RUN(Neighbor_allgather, neighbor_allgather, out, n, type, in, n, type, comm);
  DONE("neighbor_allgather");
  RUN(Neighbor_allgatherv, neighbor_allgatherv, out, n, type, in, counts, places, type, comm);
  DONE("neighbor_allgatherv");
  RUN(Neighbor_alltoall, neighbor_alltoall, out, n, type, in, n, type, comm);
  DONE("neighbor_alltoall");
  RUN(Neighbor_alltoallv, neighbor_alltoallv, out, counts, places, type, in, counts, places, type,
      comm);
  DONE("neighbor_alltoallv");
  RUN(Neighbor_alltoallw, neighbor_alltoallw, out, counts, addresses, types, in, counts, addresses,
      types, comm);
  DONE("neighbor_alltoallw");
#undef DONE
}

static void neighbours(int bytes, int n, MPI_Datatype type) {
  static MPI_Comm cart = MPI_COMM_NULL, graph, distributed;
  if ((size_t)bytes * 8 > room) return;
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  if (cart == MPI_COMM_NULL) {
    int dims[2] = {0, 0};
    const int periods[2] = {1, 0};
    MPI_Dims_create(ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    int* index = malloc(sizeof(int) * (size_t)ranks);
    int* edges = malloc(sizeof(int) * 2 * (size_t)ranks);
    for (int i = 0; i < ranks; ++i) {
      index[i] = 2 * (i + 1);
      edges[2 * i] = (i + ranks - 1) % ranks;
      edges[2 * i + 1] = (i + 1) % ranks;
    }
    MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, 0, &graph);
    free(edges);
    free(index);
    /* one in, from the left; three out where the right one hears us, so: everybody to the right
       twice, and hears the left one twice */
    const int sources[2] = {left, left}, destinations[2] = {right, right}, weights[2] = {1, 1};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, weights, 2, destinations, weights,
                                   MPI_INFO_NULL, 0, &distributed);
  }
  comm = cart;
  along("cart", 4, 4, bytes, n, type);
  comm = graph;
  along("graph", 2, 2, bytes, n, type);
  comm = distributed;
  along("dist", 2, 2, bytes, n, type);
}

static void made(const char* how, MPI_Comm* fresh) {
  done(how, 0);
  if (*fresh != MPI_COMM_NULL) MPI_Comm_free(fresh);
  begin();
}

static void making(void) {
  MPI_Comm fresh, cart;
  MPI_Group group;
  const int periods[2] = {1, 0}, keep[2] = {1, 0}, rows[1] = {ranks};
  int dims[2] = {0, 0};
  begin();
  MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
  made("make.dup", &fresh);
  MPI_Comm_idup(MPI_COMM_WORLD, &fresh, &request);
  wait_for_it();
  made("make.idup", &fresh);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &fresh);
  made("make.split", &fresh);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? MPI_UNDEFINED : 0, rank, &fresh);
  made("make.split.some", &fresh);
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Comm_create(MPI_COMM_WORLD, group, &fresh);
  MPI_Group_free(&group);
  made("make.create", &fresh);
  MPI_Cart_create(MPI_COMM_WORLD, 1, rows, periods, 0, &fresh);
  made("make.cart1", &fresh);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
  done("make.cart2", 0);
  MPI_Cart_sub(cart, keep, &fresh);
  made("make.cart_sub", &fresh);
  MPI_Comm_free(&cart);
  int* index = malloc(sizeof(int) * (size_t)ranks);
  int* edges = malloc(sizeof(int) * (size_t)ranks);
  for (int i = 0; i < ranks; ++i) {
    index[i] = i + 1;
    edges[i] = (i + 1) % ranks;
  }
  begin();
  MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, 0, &fresh);
  made("make.graph", &fresh);
  free(edges);
  free(index);
  const int left[1] = {(rank + ranks - 1) % ranks}, right[1] = {(rank + 1) % ranks}, one[1] = {1};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, left, one, 1, right, one, MPI_INFO_NULL, 0,
                                 &fresh);
  made("make.dist_graph_adjacent", &fresh);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(argc > 3 && ranks >= 2 && ranks <= MOST_RANKS);
  char path[1024];
  snprintf(path, sizeof path, "%s.%d", argv[1], rank);
  truth = fopen(path, "w");
  CHECK(truth != NULL);
  size_t largest = 64;
  for (int i = 3; i < argc; ++i) {
    if ((size_t)atoi(argv[i]) > largest) largest = (size_t)atoi(argv[i]);
  }
  const char* const limit = getenv("SWEEP_ROOM");
  room = (largest + 16) * (size_t)(ranks + 2);
  if (limit != NULL && (size_t)atol(limit) < room) room = (size_t)atol(limit);
  if (room < largest) room = largest;
  out = calloc(1, room);
  in = calloc(1, room);
  const size_t entries = (size_t)ranks + 8;
  counts = malloc(sizeof(int) * entries);
  places = malloc(sizeof(int) * entries);
  bytes_at = malloc(sizeof(int) * entries);
  addresses = malloc(sizeof(MPI_Aint) * entries);
  types = malloc(sizeof(MPI_Datatype) * entries);
  MPI_Op_create(keeps_order, 0, &in_order);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "start") == MPI_SUCCESS);
  begin();
  if (strstr(argv[2], "making")) making();
  for (int i = 3; i < argc; ++i) {
    const int bytes = atoi(argv[i]);
    const MPI_Datatype type = bytes % 4 == 0 ? MPI_INT : MPI_BYTE;
    const int n = bytes % 4 == 0 ? bytes / 4 : bytes;
    for (way = BLOCKING; way <= (HAVE_PERSISTENT ? PERSISTENT : NONBLOCKING); ++way) {
      if (strstr(argv[2], "within")) within(bytes, n, type);
      if (strstr(argv[2], "between")) between(bytes, n, type);
      if (strstr(argv[2], "neighbours")) neighbours(bytes, n, type);
    }
  }
  fclose(truth);
  MPI_Op_free(&in_order);
  if (rank == 0) printf("swept\n");
  MPI_Finalize();
  return 0;
}
