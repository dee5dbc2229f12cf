/* Asks for its rank past every tool or, with -DSESSIONS, may make a session. */
#include <mpi.h>
#include <stdio.h>

#ifdef SESSIONS
int MPI_Session_init(int info, int handler, void* session);
#endif

int main(int argc, char** argv) {
  int rank, direct;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef SESSIONS
  direct = rank;
  if (argc > 5) MPI_Session_init(0, 0, NULL);
#else
  PMPI_Comm_rank(MPI_COMM_WORLD, &direct);
#endif
  if (rank != direct) printf("two orders: %d %d\n", rank, direct);
  MPI_Finalize();
  return rank == direct ? 0 : 1;
}
