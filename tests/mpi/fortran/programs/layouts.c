/* A program that calls MPI by Fortran's names: each rank but the last sends 100 + rank bytes to the
 * next, and prints what it received. With an argument it begins and ends MPI in C. */
#include <mpi.h>
#include <stdio.h>

void mpi_init_(MPI_Fint*);
void mpi_finalize_(MPI_Fint*);
void mpi_comm_rank_(MPI_Fint*, MPI_Fint*, MPI_Fint*);
void mpi_comm_size_(MPI_Fint*, MPI_Fint*, MPI_Fint*);
void mpi_send_(void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
void mpi_recv_(void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, void*, MPI_Fint*);

int main(int argc, char** argv) {
  static char buffer[1000];
  MPI_Fint code, rank, size, tag = 1;
  if (argc > 1) {
    MPI_Init(&argc, &argv);
  } else {
    mpi_init_(&code);
  }
  MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD), type = MPI_Type_c2f(MPI_CHAR);
  mpi_comm_rank_(&world, &rank, &code);
  mpi_comm_size_(&world, &size, &code);
  MPI_Fint next = rank + 1, previous = rank - 1, length = 100 + rank;
  buffer[0] = (char)rank;
  if (next < size) mpi_send_(buffer, &length, &type, &next, &tag, &world, &code);
  length = 1000;
  if (previous >= 0) {
    mpi_recv_(buffer, &length, &type, &previous, &tag, &world, NULL, &code);
    printf("rank %d received from %d\n", rank, buffer[0]);
    fflush(stdout);
  }
  int sum = 0;  /* and some MPI in C */
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sum != size * (size - 1) / 2) printf("wrong sum %d\n", sum);
  if (argc > 1) {
    MPI_Finalize();
  } else {
    mpi_finalize_(&code);
  }
  return 0;
}
