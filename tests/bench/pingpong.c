/* Nanoseconds per message of a ping-pong between ranks 0 and 1, the median of many blocks, from the
 * moment a message is sent to that of its answer, halved.
 *
 * pingpong BYTES BLOCKS MESSAGES_PER_BLOCK */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = argc > 1 ? atoi(argv[1]) : 8;
  const int blocks = argc > 2 ? atoi(argv[2]) : 200;
  const int messages = argc > 3 ? atoi(argv[3]) : 2000;
  char* buffer = calloc(1, (size_t)bytes + 1);
  double* times = malloc(sizeof(double) * (size_t)blocks);
  for (int block = 0; block < blocks; ++block) {
    const double begin = MPI_Wtime();
    for (int i = 0; i < messages; ++i) {
      if (rank == 0) {
        MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
      }
    }
    times[block] = (MPI_Wtime() - begin) / messages / 2 * 1e9;
  }
  qsort(times, (size_t)blocks, sizeof(double), by_value);
  if (rank == 0) printf("%.1f\n", times[blocks / 2]);
  free(times);
  free(buffer);
  MPI_Finalize();
  return 0;
}
