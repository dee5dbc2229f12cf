/* What a program does between two troubles, by name; rank 0 prints what came of it.
 *
 *   ring           each rank tells its right neighbour who it is
 *   phases COUNT   so many phases in which nothing is sent, then a ring; then memory is short
 *   level LEVEL    MPI_Init_thread with 0 single .. 3 multiple, and what MPI then says of threads
 *   dies SECONDS   the last process that the launcher started dies so long after its start */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void ring(void) {
  int rank, size, got = -1, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = (rank + size - 1) % size;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK(got == left);
  const int weighted = got * (rank + 1);
  MPI_Reduce(&weighted, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("a ring of %d, sum %d\n", size, sum);
}

static void tell_level(int asked, int provided) {
  const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                        MPI_THREAD_MULTIPLE};
  int queried, is_main, rank, level = 0;
  MPI_Query_thread(&queried);
  MPI_Is_thread_main(&is_main);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(queried == provided);
  while (level < 3 && levels[level] != provided) ++level;
  if (rank == 0) printf("asked %d, got %d, main thread %d\n", asked, level, is_main);
}

static void die_soon(const char* seconds) {
  const char* const launched = getenv("OMPI_COMM_WORLD_RANK");
  const char* const size = getenv("OMPI_COMM_WORLD_SIZE");
  if (launched != NULL && size != NULL && atoi(launched) == atoi(size) - 1) {
    alarm((unsigned)atoi(seconds));
  }
}

int main(int argc, char** argv) {
  CHECK(argc > 1);
  if (strcmp(argv[1], "level") == 0) {
    int provided;
    MPI_Init_thread(&argc, &argv, atoi(argv[2]), &provided);
    tell_level(atoi(argv[2]), provided);
  } else {
    if (strcmp(argv[1], "dies") == 0) die_soon(argv[2]);
    MPI_Init(&argc, &argv);
  }
  if (strcmp(argv[1], "phases") == 0) {
    for (int level = 1; level <= atoi(argv[2]); ++level) MPI_Pcontrol(level);
  }
  ring();
  if (strcmp(argv[1], "phases") == 0) {
    void (*const poor_from_now)(void) =
        (void (*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "poor_from_now");
    if (poor_from_now != NULL) poor_from_now();
  }
  MPI_Finalize();
  return 0;
}
