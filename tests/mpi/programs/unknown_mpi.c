/* An MPI library that nobody knows, and a program that uses it: its handles are addresses, as far up as
 * they go. Built twice, with LIBRARY and without. */
#include <stdio.h>
#include <string.h>

typedef struct communicator* MPI_Comm;
#define WORLD ((MPI_Comm)0x7fff12345678abc0)

int MPI_Init(int* argc, char*** argv);
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Send(const void* buffer, int count, MPI_Comm type, int to, int tag, MPI_Comm comm);
int MPI_Finalize(void);

#ifdef LIBRARY

int PMPI_Get_library_version(char* text, int* length) {
  strcpy(text, NAME " 99.1\n");
  *length = (int)strlen(text);
  return 0;
}
int PMPI_Init(int* argc, char*** argv) {
  return argc == NULL || argv == NULL;
}
int PMPI_Comm_rank(MPI_Comm comm, int* rank) {
  *rank = comm == WORLD ? 7 : -1;
  return 0;
}
int PMPI_Send(const void* buffer, int count, MPI_Comm type, int to, int tag, MPI_Comm comm) {
  return !(buffer != NULL && count == 1 && type == WORLD && to == 2 && tag == 3 && comm == WORLD);
}
int PMPI_Finalize(void) {
  return 0;
}
int PMPI_Comm_split(void) {
  return 1; /* a library without it is no whole one */
}
#ifdef OF_OPEN_MPI
int ompi_mpi_comm_world; /* is to be found in the process of its libmpi_abi, too */
#endif
#pragma weak MPI_Init = PMPI_Init
#pragma weak MPI_Comm_rank = PMPI_Comm_rank
#pragma weak MPI_Send = PMPI_Send
#pragma weak MPI_Finalize = PMPI_Finalize

#else

int main(int argc, char** argv) {
  int rank = 0;
  const int codes = MPI_Init(&argc, &argv) + MPI_Comm_rank(WORLD, &rank) +
                    MPI_Send(&rank, 1, WORLD, 2, 3, WORLD) + MPI_Finalize();
  printf("rank %d, %d errors\n", rank, codes);
  return codes;
}

#endif
