/* The plain log's calls: point-to-point and completion. */
#include "plain_log.h"

#include <stdlib.h>
#include <string.h>

#define SEND(Name)                                                                              \
  int MPI_##Name(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
    WRAP(NEXT(MPI_##Name)(buffer, count, type, to, tag, comm),                                  \
         log_send("MPI_" #Name, comm, to, tag, log_bytes(count, type), NULL));                  \
  }
SEND(Send)
SEND(Bsend)
SEND(Ssend)
SEND(Rsend)

#define ISEND(Name)                                                                             \
  int MPI_##Name(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request* request) {                                                        \
    WRAP(NEXT(MPI_##Name)(buffer, count, type, to, tag, comm, request),                         \
         log_send("MPI_" #Name, comm, to, tag, log_bytes(count, type), request));               \
  }
ISEND(Isend)
ISEND(Ibsend)
ISEND(Issend)
ISEND(Irsend)

#define SEND_INIT(Name)                                                                         \
  int MPI_##Name(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request* request) {                                                        \
    WRAP(NEXT(MPI_##Name)(buffer, count, type, to, tag, comm, request),                         \
         log_prepared_send(comm, to, tag, log_bytes(count, type), *request));                   \
  }
SEND_INIT(Send_init)
SEND_INIT(Bsend_init)
SEND_INIT(Ssend_init)
SEND_INIT(Rsend_init)

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  WRAP(NEXT(MPI_Recv)(buffer, count, type, from, tag, comm, status),
       log_receive("MPI_Recv", comm, from, tag, status));
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  WRAP(NEXT(MPI_Irecv)(buffer, count, type, from, tag, comm, request),
       log_posted("MPI_Irecv", comm, from, tag, *request));
}

int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  WRAP(NEXT(MPI_Recv_init)(buffer, count, type, from, tag, comm, request),
       log_prepared_receive(comm, from, tag, *request));
}

int MPI_Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
                 int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  WRAP(NEXT(MPI_Sendrecv)(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag,
                          comm, status),
       log_send(from == MPI_PROC_NULL ? "MPI_Send" : "MPI_Sendrecv (send)", comm, to, out_tag, log_bytes(out_count, out_type), NULL);
       log_receive(to == MPI_PROC_NULL ? "MPI_Recv" : "MPI_Sendrecv (receive)", comm, from, in_tag, status));
}

int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int to, int out_tag, int from,
                         int in_tag, MPI_Comm comm, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  WRAP(NEXT(MPI_Sendrecv_replace)(buffer, count, type, to, out_tag, from, in_tag, comm, status),
       log_send(from == MPI_PROC_NULL ? "MPI_Send" : "MPI_Sendrecv (send)", comm, to, out_tag, log_bytes(count, type), NULL);
       log_receive(to == MPI_PROC_NULL ? "MPI_Recv" : "MPI_Sendrecv (receive)", comm, from, in_tag, status));
}

int MPI_Start(MPI_Request* request) {
  WRAP(NEXT(MPI_Start)(request), log_started(*request));
}

int MPI_Startall(int count, MPI_Request requests[]) {
  WRAP(NEXT(MPI_Startall)(count, requests),
       for (int i = 0; i < count; ++i) log_started(requests[i]));
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  WRAP(NEXT(MPI_Probe)(from, tag, comm, status), log_receive("MPI_Probe", comm, from, tag, status));
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  WRAP(NEXT(MPI_Iprobe)(from, tag, comm, flag, status),
                  if (*flag) log_receive("MPI_Iprobe", comm, from, tag, status));
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  WRAP(NEXT(MPI_Mprobe)(from, tag, comm, message, status),
       log_probed("MPI_Mprobe", comm, from, *message, status));
}

int MPI_Improbe(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  WRAP(NEXT(MPI_Improbe)(from, tag, comm, flag, message, status),
                  if (*flag) log_probed("MPI_Improbe", comm, from, *message, status));
}

int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  const MPI_Message before = *message;
  WRAP(NEXT(MPI_Mrecv)(buffer, count, type, message, status),
       log_probed_received("MPI_Mrecv", before, NULL));
}

int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
               MPI_Request* request) {
  const MPI_Message before = *message;
  WRAP(NEXT(MPI_Imrecv)(buffer, count, type, message, request),
       log_probed_received("MPI_Imrecv", before, request));
}

int MPI_Request_free(MPI_Request* request) {
  const MPI_Request before = *request;
  log_completion_begins();
  WRAP(NEXT(MPI_Request_free)(request), log_completed("MPI_Request_free", before, NULL);
       log_completion_ends(); log_unprepared(before));
}

/* --- completion --------------------------------------------------------------------------------- */

/* The handles before the call, and room for statuses. */
static MPI_Request* handles;
static MPI_Status* room;

static void remember(int count, const MPI_Request requests[]) {
  const size_t size = (size_t)(count > 0 ? count : 1);
  handles = realloc(handles, size * sizeof *handles);
  room = realloc(room, size * sizeof *room);
  if (count > 0) memcpy(handles, requests, size * sizeof *handles);
  log_completion_begins();
}

static void log_one(const char* name, int index, const MPI_Status* status) {
  if (index != MPI_UNDEFINED) log_completed(name, handles[index], status);
  log_completion_ends();
}

static void log_all(const char* name, int count, const MPI_Status* statuses) {
  for (int i = 0; i < count; ++i) log_completed(name, handles[i], &statuses[i]);
  log_completion_ends();
}

static void log_some(const char* name, int count, const int* indices, const MPI_Status* statuses) {
  if (count == MPI_UNDEFINED) return;
  for (int i = 0; i < count; ++i) log_completed(name, handles[indices[i]], &statuses[i]);
  log_completion_ends();
}

/* The call returned an error: requests whose handles are gone are complete. */
static void log_gone(const char* name, int count, const MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    if (requests[i] != handles[i]) log_completed(name, handles[i], NULL);
  }
  log_completion_ends();
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  remember(1, request);
  if (status == MPI_STATUS_IGNORE) status = room;
  WRAP_COMPLETION(NEXT(MPI_Wait)(request, status), log_one("MPI_Wait", 0, status),
                  log_gone("MPI_Wait", 1, request));
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  remember(1, request);
  if (status == MPI_STATUS_IGNORE) status = room;
  WRAP_COMPLETION(NEXT(MPI_Test)(request, flag, status), if (*flag) log_one("MPI_Test", 0, status),
                  log_gone("MPI_Test", 1, request));
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  remember(count, requests);
  if (statuses == MPI_STATUSES_IGNORE) statuses = room;
  WRAP_COMPLETION(NEXT(MPI_Waitall)(count, requests, statuses), log_all("MPI_Waitall", count, statuses),
                  log_gone("MPI_Waitall", count, requests));
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  remember(count, requests);
  if (statuses == MPI_STATUSES_IGNORE) statuses = room;
  WRAP_COMPLETION(NEXT(MPI_Testall)(count, requests, flag, statuses),
                  if (*flag) log_all("MPI_Testall", count, statuses),
                  log_gone("MPI_Testall", count, requests));
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  remember(count, requests);
  if (status == MPI_STATUS_IGNORE) status = room;
  WRAP_COMPLETION(NEXT(MPI_Waitany)(count, requests, index, status), log_one("MPI_Waitany", *index, status),
                  log_gone("MPI_Waitany", count, requests));
}

int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  remember(count, requests);
  if (status == MPI_STATUS_IGNORE) status = room;
  WRAP_COMPLETION(NEXT(MPI_Testany)(count, requests, index, flag, status),
                  if (*flag) log_one("MPI_Testany", *index, status),
                  log_gone("MPI_Testany", count, requests));
}

int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  remember(count, requests);
  if (statuses == MPI_STATUSES_IGNORE) statuses = room;
  WRAP_COMPLETION(NEXT(MPI_Waitsome)(count, requests, done, indices, statuses),
                  log_some("MPI_Waitsome", *done, indices, statuses),
                  log_gone("MPI_Waitsome", count, requests));
}

int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  remember(count, requests);
  if (statuses == MPI_STATUSES_IGNORE) statuses = room;
  WRAP_COMPLETION(NEXT(MPI_Testsome)(count, requests, done, indices, statuses),
                  log_some("MPI_Testsome", *done, indices, statuses),
                  log_gone("MPI_Testsome", count, requests));
}
