/* The part in C of a program in Fortran. */
#include <mpi.h>

/* Collective over the communicator with this Fortran handle. */
int sum_of_ranks(MPI_Fint fortran_handle) {
  const MPI_Comm comm = MPI_Comm_f2c(fortran_handle);
  int rank, sum;
  MPI_Comm_rank(comm, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  return 1000 * rank + sum;
}

/* In both directions. */
int is_world_in_c(MPI_Fint fortran_handle) {
  return MPI_Comm_f2c(fortran_handle) == MPI_COMM_WORLD &&
         MPI_Comm_c2f(MPI_COMM_WORLD) == fortran_handle;
}
