/* A library that uses MPI on its own account, for hosts that know none: a ring of messages. */
#include <mpi.h>
#include <stdio.h>

int guest(void) {
  int rank = 0;
  int size = 0;
  int got = -1;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size,
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  const int well = got == (rank + size - 1) % size;
  if (rank == 0) puts(well ? "received" : "wrong");
  MPI_Finalize();
  return well ? 0 : 1;
}
