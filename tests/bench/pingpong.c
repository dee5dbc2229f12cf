/* Nanoseconds per message of a ping-pong between ranks 0 and 1, from the moment a message is sent
 * to that of its answer, halved: the median of many blocks, a line `BYTES NANOSECONDS` for each
 * size.
 *
 * pingpong BLOCKS BYTES... */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_messages = 2000, block_bytes = 1 << 23 };

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void play(char* buffer, int bytes, int messages, int rank) {
  for (int i = 0; i < messages; ++i) {
    if (rank == 0) {
      MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
  }
}

static double median_time(int bytes, int blocks, int rank) {
  const int wanted = block_bytes / (bytes + 1);
  const int messages = wanted > most_messages ? most_messages : wanted;
  char* buffer = calloc(1, (size_t)bytes + 1);
  double* times = malloc(sizeof(double) * (size_t)blocks);
  play(buffer, bytes, messages, rank);
  for (int block = 0; block < blocks; ++block) {
    const double begin = MPI_Wtime();
    play(buffer, bytes, messages, rank);
    times[block] = (MPI_Wtime() - begin) / messages / 2 * 1e9;
  }
  qsort(times, (size_t)blocks, sizeof(double), by_value);
  const double median = times[blocks / 2];
  free(times);
  free(buffer);
  return median;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int blocks = argc > 1 ? atoi(argv[1]) : 50;
  for (int i = 2; i < argc; ++i) {
    const double median = median_time(atoi(argv[i]), blocks, rank);
    if (rank == 0) printf("%s %.1f\n", argv[i], median);
  }
  MPI_Finalize();
  return 0;
}
