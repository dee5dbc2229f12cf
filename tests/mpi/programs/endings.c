/* Programs that end without MPI_Finalize: endings abort|exit|_exit|term|kill|hang. All ranks have
 * sent by then; the last rank ends that way, the others wait in a receive that never comes
 * (`exit`, `_exit`: all end so; `hang`: nobody ends). */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char** argv) {
  static char out[1000], in[1000];
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* const way = argc > 1 ? argv[1] : "";
  for (int i = 0; i < 3; ++i) {
    MPI_Sendrecv(out, 100 + rank, MPI_BYTE, (rank + 1) % size, 0, in, 1000, MPI_BYTE,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    printf("all have sent\n");
    fflush(stdout);
  }
  MPI_Barrier(MPI_COMM_WORLD); /* the launcher kills the others as soon as one has ended */
  if (strcmp(way, "exit") == 0) exit(3);
  if (strcmp(way, "_exit") == 0) _exit(3);
  if (rank == size - 1) {
    if (strcmp(way, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(way, "term") == 0) raise(SIGTERM);
    if (strcmp(way, "kill") == 0) raise(SIGKILL);
  }
  MPI_Recv(in, 1000, MPI_BYTE, rank, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}
