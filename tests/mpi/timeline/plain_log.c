/* What a timeline has to say, without folding: a PMPI tool behind Kith that writes every operation of
 * a rank, as timeline_check.cpp prints it, to the file $PLAIN_LOG.RANK. For programs of one thread.
 * Fields that it does not know are '*'. Communicators have numbers of their own here; lines with '+'
 * and '-' say when one is made and freed. */
#include "plain_log.h"

#include <stdlib.h>
#include <string.h>

FILE* plain_log;
int plain_depth;

static MPI_Group world_group;
static long requests;

/* --- communicators and windows ------------------------------------------------------------------ */

typedef struct {
  int in_use;
  int is_window;
  union {
    MPI_Comm comm;
    MPI_Win window;
  } handle;
} Known;

static Known* known;
static int known_count;

static int add_known(Known one, MPI_Group group, int remote) {
  int size = 0, rank = 0;
  PMPI_Group_size(group, &size);
  PMPI_Group_rank(group, &rank);
  known = realloc(known, (size_t)(known_count + 1) * sizeof *known);
  known[known_count] = one;
  fprintf(plain_log, "+%s\t%d\t%d\t%d\t%d\n", one.is_window ? "window" : "communicator", known_count,
          size, rank, remote);
  return known_count++;
}

static int number_of(MPI_Comm comm) {
  for (int i = known_count; i-- > 0;) {
    if (known[i].in_use && !known[i].is_window && known[i].handle.comm == comm) return i;
  }
  log_made_comm(comm);
  return known_count - 1;
}

int log_window_number(MPI_Win window) {
  for (int i = known_count; i-- > 0;) {
    if (known[i].in_use && known[i].is_window && known[i].handle.window == window) return i;
  }
  return -1;
}

void log_made_comm(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return;
  Known one = {1, 0, {.comm = comm}};
  MPI_Group group;
  int inter = 0, remote = 0;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) PMPI_Comm_remote_size(comm, &remote);
  add_known(one, group, remote);
  PMPI_Group_free(&group);
}

void log_made_window(MPI_Win window) {
  Known one = {1, 1, {.window = window}};
  MPI_Group group;
  PMPI_Win_get_group(window, &group);
  add_known(one, group, 0);
  PMPI_Group_free(&group);
}

void log_freed_comm(MPI_Comm comm) {
  const int number = number_of(comm);
  known[number].in_use = 0;
  fprintf(plain_log, "-communicator\t%d\n", number);
}

void log_freed_window(MPI_Win window) {
  const int number = log_window_number(window);
  known[number].in_use = 0;
  fprintf(plain_log, "-window\t%d\n", number);
}

static int world_rank_in(MPI_Group group, int rank) {
  int world = MPI_UNDEFINED;
  PMPI_Group_translate_ranks(group, 1, &rank, world_group, &world);
  return world;
}

static int world_rank(MPI_Comm comm, int rank) {
  MPI_Group group;
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) PMPI_Comm_remote_group(comm, &group);
  else PMPI_Comm_group(comm, &group);
  rank = world_rank_in(group, rank);
  PMPI_Group_free(&group);
  return rank;
}

/* --- lines -------------------------------------------------------------------------------------- */

long long log_bytes(long long count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return count * size;
}

void log_line(const char* name, const char* peer, const char* bytes, int tag, int comm,
              const char* element) {
  fprintf(plain_log, "%s\t%s\t%s\t%d\t%d\t%s\t*\t", name, peer, bytes, tag, comm, element);
}

static void line_with_peer(const char* name, int peer, long long bytes, int tag, int comm,
                           const char* element) {
  char peer_text[24] = "-", bytes_text[24];
  if (peer >= 0) sprintf(peer_text, "%d", peer);
  sprintf(bytes_text, "%lld", bytes);
  log_line(name, peer_text, bytes_text, tag, comm, element);
}

void log_plain(const char* name, int window, int peer) {
  line_with_peer(name, peer, 0, 0, window, "*");
  fputs("*\n", plain_log);
}

void log_setup(const char* name) {
  fprintf(plain_log, "%s\t-\t0\t0\t0\t0\t*\t*\n", name);
}

/* --- requests ----------------------------------------------------------------------------------- */

typedef struct {
  MPI_Request request;
  long number;
  int tells;  /* its status says what it matched */
  MPI_Comm comm;
} Open;

static Open* open_requests;
static int open_count;

void log_opened(MPI_Request request, int tells, MPI_Comm comm) {
  open_requests = realloc(open_requests, (size_t)(open_count + 1) * sizeof *open_requests);
  Open one = {request, requests++, tells, comm};
  open_requests[open_count++] = one;
}

/* Handles of sends that were complete at once are equal: the oldest is meant. */
static int take_open(MPI_Request request, Open* taken) {
  if (request == MPI_REQUEST_NULL) return 0;
  for (int i = 0; i < open_count; ++i) {
    if (open_requests[i].request != request) continue;
    *taken = open_requests[i];
    memmove(open_requests + i, open_requests + i + 1, (size_t)(--open_count - i) * sizeof(Open));
    return 1;
  }
  return 0;
}

static int completed;

void log_completion_begins(void) {
  completed = 0;
}

void log_completed(const char* name, MPI_Request request, const MPI_Status* status) {
  Open one;
  if (!take_open(request, &one)) return;
  if (completed++ == 0) log_line(name, "-", "0", 0, 0, "0");
  if (one.tells && status != NULL) {
    fprintf(plain_log, " 0:%ld/%d/%d", one.number, world_rank(one.comm, status->MPI_SOURCE),
            status->MPI_TAG);
  } else {
    fprintf(plain_log, " 0:%ld/-/0", one.number);
  }
}

void log_completion_ends(void) {
  if (completed > 0) fputs("\n", plain_log);
}

/* --- persistent requests ------------------------------------------------------------------------ */

typedef struct {
  MPI_Request request;
  char name[40];
  char peer[24];
  char bytes[24];
  int tag;
  int comm_number;
  int tells;
  MPI_Comm comm;
} Prepared;

static Prepared* prepared;
static int prepared_count;

void log_unprepared(MPI_Request request) {
  for (int i = 0; i < prepared_count; ++i) {
    if (prepared[i].request == request) prepared[i--] = prepared[--prepared_count];
  }
}

static Prepared* new_prepared(MPI_Request request, const char* name, MPI_Comm comm) {
  log_unprepared(request);
  prepared = realloc(prepared, (size_t)(prepared_count + 1) * sizeof *prepared);
  Prepared* one = &prepared[prepared_count++];
  memset(one, 0, sizeof *one);
  one->request = request;
  one->comm = comm;
  one->comm_number = number_of(comm);
  strcpy(one->name, name);
  strcpy(one->peer, "-");
  strcpy(one->bytes, "0");
  return one;
}

void log_prepared_send(MPI_Comm comm, int to, int tag, long long bytes, MPI_Request request) {
  if (to == MPI_PROC_NULL) {
    log_unprepared(request);
    return;
  }
  Prepared* one = new_prepared(request, "MPI_Start (send)", comm);
  sprintf(one->peer, "%d", world_rank(comm, to));
  sprintf(one->bytes, "%lld", bytes);
  one->tag = tag;
}

void log_prepared_receive(MPI_Comm comm, int from, int tag, MPI_Request request) {
  if (from == MPI_PROC_NULL) {
    log_unprepared(request);
    return;
  }
  Prepared* one = new_prepared(request, "MPI_Start (receive)", comm);
  if (from != MPI_ANY_SOURCE) sprintf(one->peer, "%d", world_rank(comm, from));
  one->tag = tag == MPI_ANY_TAG ? 0 : tag;
  one->tells = from == MPI_ANY_SOURCE || tag == MPI_ANY_TAG;
}

void log_started(MPI_Request request) {
  for (int i = 0; i < prepared_count; ++i) {
    if (prepared[i].request != request) continue;
    const Prepared* one = &prepared[i];
    log_line(one->name, one->peer, one->bytes, one->tag, one->comm_number, "*");
    fputs(strncmp(one->name, "MPI_Start ", 10) == 0 ? "\n" : "*\n", plain_log);
    log_opened(request, one->tells, one->comm);
    return;
  }
}

/* --- messages ----------------------------------------------------------------------------------- */

void log_send(const char* name, MPI_Comm comm, int to, int tag, long long bytes,
              const MPI_Request* request) {
  if (to == MPI_PROC_NULL) return;
  line_with_peer(name, world_rank(comm, to), bytes, tag, number_of(comm), "0");
  fputs("\n", plain_log);
  if (request != NULL) log_opened(*request, 0, comm);
}

void log_receive(const char* name, MPI_Comm comm, int from, int tag, const MPI_Status* status) {
  if (from == MPI_PROC_NULL) return;
  if (from == MPI_ANY_SOURCE) from = status->MPI_SOURCE;
  if (tag == MPI_ANY_TAG) tag = status->MPI_TAG;
  line_with_peer(name, world_rank(comm, from), 0, tag, number_of(comm), "0");
  fputs("\n", plain_log);
}

void log_posted(const char* name, MPI_Comm comm, int from, int tag, MPI_Request request) {
  if (from == MPI_PROC_NULL) return;
  const int tells = from == MPI_ANY_SOURCE || tag == MPI_ANY_TAG;
  const int peer = from == MPI_ANY_SOURCE ? -1 : world_rank(comm, from);
  line_with_peer(name, peer, 0, tag == MPI_ANY_TAG ? 0 : tag, number_of(comm), "0");
  fputs("\n", plain_log);
  log_opened(request, tells, comm);
}

typedef struct {
  MPI_Message message;
  MPI_Comm comm;
  int from, tag;
} Probed;

static Probed probed[64];
static int probed_count;

void log_probed(const char* name, MPI_Comm comm, int from, MPI_Message message,
                const MPI_Status* status) {
  if (from == MPI_PROC_NULL) return;
  log_receive(name, comm, status->MPI_SOURCE, status->MPI_TAG, status);
  Probed one = {message, comm, status->MPI_SOURCE, status->MPI_TAG};
  probed[probed_count++] = one;
}

void log_probed_received(const char* name, MPI_Message message, const MPI_Request* request) {
  for (int i = 0; i < probed_count; ++i) {
    if (probed[i].message != message) continue;
    const Probed one = probed[i];
    probed[i] = probed[--probed_count];
    if (request == NULL) log_receive(name, one.comm, one.from, one.tag, NULL);
    else log_posted(name, one.comm, one.from, one.tag, *request);
    return;
  }
}

/* --- one-sided ---------------------------------------------------------------------------------- */

int log_target(MPI_Win window, int target) {
  MPI_Group group;
  PMPI_Win_get_group(window, &group);
  target = world_rank_in(group, target);
  PMPI_Group_free(&group);
  return target;
}

void log_one_sided(const char* name, MPI_Win window, int target, long long bytes, long long back,
                   const MPI_Request* request) {
  char element[24];
  if (target == MPI_PROC_NULL) return;
  sprintf(element, "%lld", back);
  line_with_peer(name, log_target(window, target), bytes, 0, log_window_number(window), element);
  fputs("\n", plain_log);
  if (request != NULL) log_opened(*request, 0, MPI_COMM_NULL);
}

/* --- collectives -------------------------------------------------------------------------------- */

static void root_text(char* text, MPI_Comm comm, int root) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (root == log_no_root) strcpy(text, "*");
  else if (inter && root == MPI_ROOT) strcpy(text, "-1");
  else if (inter && root == MPI_PROC_NULL) strcpy(text, "-2");
  else sprintf(text, "%d", root);
}

/* A collective of a process alone is nothing. */
static int is_alone(MPI_Comm comm) {
  int inter = 0, size = 0;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_size(comm, &size);
  return !inter && size < 2;
}

void log_collective(const char* name, MPI_Comm comm, int root, long long bytes, Way way,
                    const MPI_Request* request) {
  char peer[24], bytes_text[24] = "*";
  if (is_alone(comm) && strstr(name, "Neighbor") == NULL) {
    if (way == prepares) log_unprepared(*request);
    return;
  }
  root_text(peer, comm, root);
  if (bytes >= 0) sprintf(bytes_text, "%lld", bytes);
  if (way == prepares) {
    Prepared* one = new_prepared(*request, name, comm);
    strcpy(one->peer, peer);
    strcpy(one->bytes, bytes_text);
    return;
  }
  log_line(name, peer, bytes_text, 0, number_of(comm), "*");
  fputs("*\n", plain_log);
  if (way == starts) log_opened(*request, 0, comm);
}

/* --- the run ------------------------------------------------------------------------------------ */

static void begin(void) {
  char name[4096];
  int rank;
  const char* const prefix = getenv("PLAIN_LOG");
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "%s.%d", prefix == NULL ? "plain_log" : prefix, rank);
  plain_log = fopen(name, "w");
  if (plain_log == NULL) abort();
  PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
  log_made_comm(MPI_COMM_WORLD);
  log_made_comm(MPI_COMM_SELF);
}

int MPI_Init(int* count, char*** words) {
  const int code = NEXT(MPI_Init)(count, words);
  if (code == MPI_SUCCESS) begin();
  return code;
}

int MPI_Init_thread(int* count, char*** words, int wanted, int* provided) {
  const int code = NEXT(MPI_Init_thread)(count, words, wanted, provided);
  if (code == MPI_SUCCESS) begin();
  return code;
}

int MPI_Finalize(void) {
  fclose(plain_log);
  plain_log = NULL;
  return NEXT(MPI_Finalize)();
}
