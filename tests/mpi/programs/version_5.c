/* A tool that lets the MPI library say that it is Open MPI 5.0; its init says whether monitoring
 * of messages was turned on without the asking of its user. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int PMPI_Get_library_version(char* version, int* length) {
  strcpy(version, "Open MPI v5.0.3, package: a test");
  *length = (int)strlen(version);
  return MPI_SUCCESS;
}

int MPI_Init(int* argc, char*** argv) {
  if (getenv("OMPI_MCA_pml_monitoring_enable") != NULL) printf("monitoring enabled\n");
  return PMPI_Init(argc, argv);
}
