/* What a library of Fortran bindings is made of, as far as layouts.c uses it: Fortran's names, and
 * calls of PMPI. */
#include <mpi.h>

void mpi_init_(MPI_Fint* code) {
  *code = PMPI_Init(NULL, NULL);
}

void mpi_finalize_(MPI_Fint* code) {
  *code = PMPI_Finalize();
}

void mpi_comm_rank_(MPI_Fint* comm, MPI_Fint* rank, MPI_Fint* code) {
  *code = PMPI_Comm_rank(PMPI_Comm_f2c(*comm), rank);
}

void mpi_comm_size_(MPI_Fint* comm, MPI_Fint* size, MPI_Fint* code) {
  *code = PMPI_Comm_size(PMPI_Comm_f2c(*comm), size);
}

void mpi_send_(void* buffer, MPI_Fint* count, MPI_Fint* type, MPI_Fint* dest, MPI_Fint* tag,
               MPI_Fint* comm, MPI_Fint* code) {
  *code = PMPI_Send(buffer, *count, PMPI_Type_f2c(*type), *dest, *tag, PMPI_Comm_f2c(*comm));
}

void mpi_recv_(void* buffer, MPI_Fint* count, MPI_Fint* type, MPI_Fint* source, MPI_Fint* tag,
               MPI_Fint* comm, void* ignored, MPI_Fint* code) {
  (void)ignored;
  *code = PMPI_Recv(buffer, *count, PMPI_Type_f2c(*type), *source, *tag, PMPI_Comm_f2c(*comm),
                    MPI_STATUS_IGNORE);
}
