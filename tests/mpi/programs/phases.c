/* Two phases with different partners, named by kith_checkpoint, the first name twice. With MOVE_TO
 * in its environment each rank binds itself to that processor meanwhile, as libraries do. */
#define _GNU_SOURCE
#include <kith/kith.h>
#include <sched.h>
#include <stdlib.h>

#include "check.h"

static void shift(int by, int bytes) {
  static char out[4096], in[4096];
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + by) % size, 0, in, bytes, MPI_BYTE,
               (rank + size - by) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void bind_as_told(void) {
  const char* const cpu = getenv("MOVE_TO");
  cpu_set_t set;
  if (cpu == NULL) return;
  CPU_ZERO(&set);
  CPU_SET(atoi(cpu), &set);
  CHECK(sched_setaffinity(0, sizeof set, &set) == 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bind_as_told();
  shift(1, 100);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "near \"1\"") == MPI_SUCCESS);
  shift(2, 1000);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "far") == MPI_SUCCESS);
  shift(1, 10);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "near \"1\"") == MPI_SUCCESS);
  shift(1, 1);
  MPI_Finalize();
  return 0;
}
