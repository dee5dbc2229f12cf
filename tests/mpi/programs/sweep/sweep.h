/* What the parts of collective_sweep share: one collective at a time, in one of three ways. */
#ifndef KITH_TEST_SWEEP_H
#define KITH_TEST_SWEEP_H

#include <stdlib.h>
#include <string.h>

#include "../../../support/persistent.h"
#include "../check.h"

extern int ranks, rank; /* of the world */
extern MPI_Comm comm;   /* what the cases run on */
extern int peers;       /* its size, or that of the other group */
extern char *out, *in;  /* buffers of `room` bytes */
extern size_t room;
extern int *counts, *places; /* unequal blocks and where they stand, in elements */
extern int* bytes_at;        /* the same places in bytes */
extern MPI_Aint* addresses;
extern MPI_Datatype* types;
extern MPI_Op in_order; /* not commutative */

enum way { BLOCKING, NONBLOCKING, STARTED };
extern enum way way;
extern MPI_Request request;

void wait_for_it(void);
void start_twice(void);
void barriers(void);

/* What was sent until now belongs to no case. */
void begin(void);
/* Ends the case that has just run. */
void done(const char* name, int bytes);

void within(int bytes, int n, MPI_Datatype type);
void between(int bytes, int n, MPI_Datatype type);
void neighbours(int bytes, int n, MPI_Datatype type);
void making(void);

#if defined(PERSISTENT) && !defined(NO_PERSISTENT) /* MPICH 4.0.2 fails in its own */
#define HAVE_PERSISTENT 1
#define PREPARE(Name, ...) PERSISTENT(Name)(__VA_ARGS__, MPI_INFO_NULL, &request)
#else
#define HAVE_PERSISTENT 0
#define PREPARE(Name, ...) abort()
#endif

#define RUN(Name, name, ...)              \
  do {                                    \
    if (way == BLOCKING) {                \
      MPI_##Name(__VA_ARGS__);            \
    } else if (way == NONBLOCKING) {      \
      MPI_I##name(__VA_ARGS__, &request); \
      wait_for_it();                      \
    } else {                              \
      PREPARE(Name, __VA_ARGS__);         \
      start_twice();                      \
    }                                     \
  } while (0)

#endif
