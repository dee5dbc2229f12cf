/* Asks for its rank past every tool. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, direct;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_rank(MPI_COMM_WORLD, &direct);
  if (rank != direct) printf("two orders: %d %d\n", rank, direct);
  MPI_Finalize();
  return rank == direct ? 0 : 1;
}
