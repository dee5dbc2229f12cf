/* A program that forks between its messages: forks exit|_exit|exec. The child does no MPI. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void shift(int bytes) {
  static char out[1000], in[1000];
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + 1) % size, 0, in, bytes, MPI_BYTE,
               (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  MPI_Init(&argc, &argv);
  shift(100);
  const pid_t child = fork();
  if (child == 0) {
    if (strcmp(argv[1], "exit") == 0) exit(7);
    if (strcmp(argv[1], "exec") == 0) execl("/bin/sh", "sh", "-c", "exit 7", (char*)NULL);
    _exit(7);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  shift(11);
  MPI_Finalize();
  return 0;
}
