/* What the parts of the plain log share. */
#ifndef KITH_TEST_PLAIN_LOG_H
#define KITH_TEST_PLAIN_LOG_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#define NEXT_OF(function) ((__typeof__(&function))(uintptr_t)dlsym(RTLD_NEXT, #function))
#define NEXT(function) NEXT_OF(function) /* a name that a macro makes */

extern FILE* plain_log;
extern int plain_depth; /* calls that MPI makes inside a call are not the program's */

/* Calls the next definition; `logged` only where the program called, and it went well. */
#define WRAP(call, logged)                                   \
  do {                                                       \
    ++plain_depth;                                           \
    const int code = call;                                   \
    --plain_depth;                                           \
    if (code == MPI_SUCCESS && plain_depth == 0 && plain_log != NULL) { logged; } \
    return code;                                             \
  } while (0)
/* The same; `failed` where it did not go well. */
#define WRAP_COMPLETION(call, logged, failed)                \
  do {                                                       \
    ++plain_depth;                                           \
    const int code = call;                                   \
    --plain_depth;                                           \
    if (plain_depth > 0 || plain_log == NULL) return code;   \
    if (code == MPI_SUCCESS) { logged; }                     \
    else { failed; }                                         \
    return code;                                             \
  } while (0)

enum { log_no_root = -12345 };
typedef enum { blocks, starts, prepares } Way;

void log_line(const char* name, const char* peer, const char* bytes, int tag, int comm,
              const char* element);
void log_plain(const char* name, int window, int peer);
void log_setup(const char* name);
long long log_bytes(long long count, MPI_Datatype type);

void log_made_comm(MPI_Comm comm);
void log_freed_comm(MPI_Comm comm);
void log_made_window(MPI_Win window);
void log_freed_window(MPI_Win window);
int log_window_number(MPI_Win window);
int log_target(MPI_Win window, int target);

/* request NULL: a call that blocks */
void log_send(const char* name, MPI_Comm comm, int to, int tag, long long bytes,
              const MPI_Request* request);
void log_receive(const char* name, MPI_Comm comm, int from, int tag, const MPI_Status* status);
void log_posted(const char* name, MPI_Comm comm, int from, int tag, MPI_Request request);
void log_probed(const char* name, MPI_Comm comm, int from, MPI_Message message,
                const MPI_Status* status);
void log_probed_received(const char* name, MPI_Message message, const MPI_Request* request);
void log_one_sided(const char* name, MPI_Win window, int target, long long bytes, long long back,
                   const MPI_Request* request);
/* bytes negative: not known */
void log_collective(const char* name, MPI_Comm comm, int root, long long bytes, Way way,
                    const MPI_Request* request);

void log_opened(MPI_Request request, int tells, MPI_Comm comm);
void log_completion_begins(void);
void log_completed(const char* name, MPI_Request request, const MPI_Status* status);
void log_completion_ends(void);

void log_prepared_send(MPI_Comm comm, int to, int tag, long long bytes, MPI_Request request);
void log_prepared_receive(MPI_Comm comm, int from, int tag, MPI_Request request);
void log_unprepared(MPI_Request request);
void log_started(MPI_Request request);

#endif
