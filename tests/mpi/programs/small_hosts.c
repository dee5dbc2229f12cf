/* A tool that puts every two launcher ranks on a host of their own, for those who ask below MPI's
 * own functions: Kith, not the program. It refers to no function of MPI, as Kith keeps the order
 * where somebody may see two at once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int Split(MPI_Comm comm, int colour, int key, MPI_Comm* part);

static int small_host(void) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  return rank == NULL ? 0 : atoi(rank) / 2;
}

int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  Split* const split = (Split*)(uintptr_t)dlsym(RTLD_NEXT, "PMPI_Comm_split");
  (void)type, (void)info;
  return split(comm, small_host(), key, part);
}

int gethostname(char* name, size_t size) {
  int (*const real)(char*, size_t) = (int (*)(char*, size_t))(uintptr_t)dlsym(RTLD_NEXT, __func__);
  Dl_info caller; /* MPI itself starts up with the true name */
  if (dladdr(__builtin_return_address(0), &caller) == 0 ||
      strstr(caller.dli_fname, "/libkith") == NULL) {
    return real(name, size);
  }
  snprintf(name, size, "small%d", small_host());
  return 0;
}
