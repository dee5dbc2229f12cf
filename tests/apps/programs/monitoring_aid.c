/* Helps Open MPI's monitoring (4.1) to be an oracle; preloaded before libkith.so, if that is there.
 *
 * 1. Its part for collectives takes every neighbourhood collective for one on a grid and dies of
 *    graphs; left out by --mca coll ^monitoring, it dies of a freed communicator, whose name it
 *    wants to keep. Here it does not.
 * 2. With KITH_TEST_ORACLE=PREFIX, what it records between the end of MPI_Init and the beginning of
 *    MPI_Finalize is written to PREFIX.<rank>.prof as it would write it: without what a tool under
 *    us sends before and after, both can watch the same run. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { own = 0, internal = 1, kinds = 2, most_ranks = 1024 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long bytes[kinds][most_ranks], messages[kinds][most_ranks];
static int listening;

/* The next definition of a function after ours. */
#define NEXT(function) ((__typeof__(&function))(uintptr_t)dlsym(RTLD_NEXT, #function))

void mca_common_monitoring_coll_cache_name(MPI_Comm comm) {
  (void)comm;
}

/* Messages of collectives have negative tags. */
void mca_common_monitoring_record_pml(int world_rank, size_t size, int tag) {
  NEXT(mca_common_monitoring_record_pml)(world_rank, size, tag);
  if (!listening || world_rank < 0 || world_rank >= most_ranks) return;
  pthread_mutex_lock(&lock);
  const int kind = tag < 0 ? internal : own;
  bytes[kind][world_rank] += size;
  ++messages[kind][world_rank];
  pthread_mutex_unlock(&lock);
}

int MPI_Init(int* argc, char*** argv) {
  const int code = NEXT(MPI_Init)(argc, argv);
  listening = 1;
  return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = NEXT(MPI_Init_thread)(argc, argv, required, provided);
  listening = 1;
  return code;
}

int MPI_Finalize(void) {
  listening = 0;
  const char* const prefix = getenv("KITH_TEST_ORACLE");
  if (prefix != NULL) {
    int rank;
    char name[4096];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d.prof", prefix, rank);
    FILE* const file = fopen(name, "w");
    for (int i = 0; i < kinds * most_ranks; ++i) {
      const int kind = i / most_ranks, peer = i % most_ranks;
      if (messages[kind][peer] == 0) continue;
      fprintf(file, "%c\t%d\t%d\t%llu bytes\t%llu msgs sent\n", "EI"[kind], rank, peer,
              bytes[kind][peer], messages[kind][peer]);
    }
    fclose(file);
  }
  return NEXT(MPI_Finalize)();
}
