/* A library that the program opens for itself (private_lookups.c), or links (direct_helper). */
#include <mpi.h>

#ifdef DIRECT
#define COMM_RANK PMPI_Comm_rank
#else
#define COMM_RANK MPI_Comm_rank
#endif

int plugin_rank(void);
int plugin_rank(void) {
  int rank = -1;
  COMM_RANK(MPI_COMM_WORLD, &rank);
  return rank;
}
