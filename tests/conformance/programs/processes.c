/* Other jobs: started by the world, or met at a port; the world's own halves, met like strangers.
 */
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "conformance.h"

enum { children = 2 };

/* Every member of the world sends its rank to child rank % 2; the children answer with sums. */
static void talk_to_children(const char* what, MPI_Comm between) {
  int others, answer = -1, together;
  MPI_Comm all;
  MPI_Comm_remote_size(between, &others);
  MPI_Send(&rank, 1, MPI_INT, rank % others, 1, between);
  MPI_Recv(&answer, 1, MPI_INT, rank % others, 2, between, MPI_STATUS_IGNORE);
  MPI_Intercomm_merge(between, 0, &all);
  tell("%s: %d children, answer %d", what, others, answer);
  tell_communicator(what, all);
  MPI_Comm_size(all, &together);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&between);
  tell("%s: %d together", what, together);
}

void be_started(MPI_Comm parent) {
  int parents, sum = 0, got, here, zero = 0, first = -1;
  MPI_Status status;
  MPI_Comm all;
  MPI_Comm_remote_size(parent, &parents);
  MPI_Comm_rank(MPI_COMM_WORLD, &here);
  for (int from = here; from < parents; from += size) {
    MPI_Recv(&got, 1, MPI_INT, from, 1, parent, &status);
    sum += got * (1 + status.MPI_SOURCE);
  }
  for (int to = here; to < parents; to += size) {
    const int answer = 1000 * to + sum;
    MPI_Send(&answer, 1, MPI_INT, to, 2, parent);
  }
  MPI_Intercomm_merge(parent, 1, &all);
  MPI_Allreduce(&zero, &got, 1, MPI_INT, MPI_SUM, all);
  MPI_Bcast(&first, 1, MPI_INT, 0, all);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&parent);
}

static void own_path(char* path, size_t room) {
  FILE* file = fopen("/proc/self/cmdline", "r");
  const size_t bytes = file == NULL ? 0 : fread(path, 1, room - 1, file);
  path[bytes] = '\0';
  if (file != NULL) fclose(file);
}

static void started(void) {
  char path[4096];
  char* commands[2] = {path, path};
  int counts[2] = {1, 1}, codes[children];
  MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm between;
  own_path(path, sizeof path);
  MPI_Comm_spawn(path, MPI_ARGV_NULL, children, MPI_INFO_NULL, size - 1, MPI_COMM_WORLD, &between,
                 codes);
  tell("started: %d %d", codes[0] == MPI_SUCCESS, codes[1] == MPI_SUCCESS);
  talk_to_children("spawn", between);
  MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 1, MPI_COMM_WORLD, &between,
                          MPI_ERRCODES_IGNORE);
  talk_to_children("spawn_multiple", between);
}

/* The world's ranks 0 and size - 1 lead the two halves. */
static void met_at_a_port(void) {
  char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME] = "";
  const int upper = rank >= size / 2;
  int root, others, sum = -1;
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
  MPI_Comm_size(half, &root);
  root = upper ? root - 1 : 0;
  if (rank == size - 1) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Publish_name("kith-conformance", MPI_INFO_NULL, port);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Lookup_name("kith-conformance", MPI_INFO_NULL, found);
    memcpy(port, found, sizeof port);
  }
  if (upper) {
    MPI_Comm_accept(port, MPI_INFO_NULL, root, half, &between);
  } else {
    MPI_Comm_connect(port, MPI_INFO_NULL, root, half, &between);
  }
  MPI_Comm_remote_size(between, &others);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
  tell("met at a port: %d others, their sum is %d", others, sum);
  MPI_Comm_disconnect(&between);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == size - 1) {
    MPI_Unpublish_name("kith-conformance", MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }
  MPI_Comm_free(&half);
}

/* A connection of the world's ranks 0 and size - 1; -1 elsewhere. */
static int connection(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (rank != 0 && rank != size - 1) return -1;
  const int end = socket(AF_INET, SOCK_STREAM, 0);
  if (rank == 0) {
    bind(end, (struct sockaddr*)&address, length);
    listen(end, 1);
    getsockname(end, (struct sockaddr*)&address, &length);
    MPI_Send(&address, sizeof address, MPI_BYTE, size - 1, 7, MPI_COMM_WORLD);
    const int accepted = accept(end, NULL, NULL);
    close(end);
    return accepted;
  }
  MPI_Recv(&address, sizeof address, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  connect(end, (struct sockaddr*)&address, length);
  return end;
}

static void joined(void) {
  const int end = connection();
  int other = -1;
  MPI_Comm between;
  if (end < 0) return;
  MPI_Comm_join(end, &between);
  MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &other, 1, MPI_INT, 0, 1, between, MPI_STATUS_IGNORE);
  tell("joined with %d", other);
  MPI_Comm_disconnect(&between);
  close(end);
}

void processes(void) {
  MPI_Comm parent;
  MPI_Comm_get_parent(&parent);
  tell("nobody started us: %d", parent == MPI_COMM_NULL);
  started();
  met_at_a_port();
  joined();
}
