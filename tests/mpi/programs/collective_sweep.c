/* Every collective, in every way of calling it, one at a time: what did this rank really send?
 *
 * usage: collective_sweep TRUTH GROUPS SIZE...      (GROUPS: within, between, neighbours, making;
 * commas)
 *
 * Open MPI's monitoring calls mca_common_monitoring_record_pml for every message that its message
 * layer sends; the definition here comes first, so each rank knows what each collective sent. It
 * writes a line `CASE PEER BYTES MESSAGES` per peer to TRUTH.RANK and closes a phase named CASE, so
 * that Kith's own count stands in the trace under the same name.
 */
#include <stdio.h>

#include <kith/kith.h>

#include "sweep/sweep.h"

enum { MOST_RANKS = 64 };
static size_t truth_bytes[MOST_RANKS], truth_messages[MOST_RANKS];

#define SEEN_BY_MPI __attribute__((visibility("default")))

SEEN_BY_MPI void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag);
void mca_common_monitoring_record_pml(int world_rank, size_t bytes, int tag) {
  (void)tag;
  if (world_rank < 0 || world_rank >= MOST_RANKS) return;
  truth_bytes[world_rank] += bytes;
  truth_messages[world_rank] += 1;
}

/* Open MPI 4.1.4 asks for the name of a communicator in a table that only its coll/monitoring
 * component makes, which in turn cannot cope with two groups and is left out: answer nothing. */
SEEN_BY_MPI void mca_common_monitoring_coll_cache_name(void* communicator);
void mca_common_monitoring_coll_cache_name(void* communicator) {
  (void)communicator;
}

/* Where another message layer is counted (tests/mpich/programs/count_ucx.c): after MPI_Init, collective. */
__attribute__((weak)) void message_layer_ready(void);

static FILE* truth;

int ranks, rank, peers, *counts, *places, *bytes_at;
MPI_Comm comm;
char *out, *in;
size_t room;
MPI_Aint* addresses;
MPI_Datatype* types;
MPI_Op in_order;
enum way way;
MPI_Request request;

void wait_for_it(void) {
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void start_twice(void) {
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    wait_for_it();
  }
  MPI_Request_free(&request);
}

void barriers(void) {
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

void begin(void) {
  memset(truth_bytes, 0, sizeof truth_bytes);
  memset(truth_messages, 0, sizeof truth_messages);
}

void done(const char* name, int bytes) {
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

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (message_layer_ready != NULL) message_layer_ready();
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
    for (way = BLOCKING; way <= (HAVE_PERSISTENT ? STARTED : NONBLOCKING); ++way) {
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
