/* Persistent sends that are made and freed again and again, some alive at a time: what Kith
 * remembers of them must not grow. Prints how much memory the later nine tenths took.
 *
 * persistent COUNT ALIVE */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long resident_kib(void) {
  long all = 0;
  long resident = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
  if (file != NULL) fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int count = argc > 1 ? atoi(argv[1]) : 1000;
  const int alive = argc > 2 ? atoi(argv[2]) : 1;
  MPI_Request* const requests = malloc((size_t)alive * sizeof *requests);
  for (int i = 0; i < alive; ++i) requests[i] = MPI_REQUEST_NULL;
  int value = 0;
  int self = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  long before = 0;
  uint64_t random = 1;
  for (int i = 0; i < count; ++i) {
    if (i == count / 10) before = resident_kib();
    random = random * 6364136223846793005u + 1442695040888963407u;
    MPI_Request* const request = &requests[(random >> 33) % (uint64_t)alive];
    if (*request != MPI_REQUEST_NULL) MPI_Request_free(request);
    MPI_Send_init(&value, 1, MPI_INT, self, 0, MPI_COMM_WORLD, request);
    MPI_Start(request);
  }
  const long grown = resident_kib() - before;
  for (int i = 0; i < alive; ++i) {
    if (requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]);
  }
  if (self == 0) printf("grew %ld KiB\n", grown);
  free(requests);
  MPI_Finalize();
  return 0;
}
