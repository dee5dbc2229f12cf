/* A PMPI tool as others make them: counts calls and says so on stderr in MPI_Finalize. It chains,
 * so that tools behind it see the calls too; built with BLUNT it goes straight to the library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#ifdef BLUNT
#define NEXT(function) P##function
#else
#define NEXT(function) ((__typeof__(&function))(uintptr_t)dlsym(RTLD_NEXT, #function))
#endif

static int starts, sends, reductions;

int MPI_Init(int* argc, char*** argv) {
  ++starts;
  return NEXT(MPI_Init)(argc, argv);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++sends;
  return NEXT(MPI_Isend)(buffer, count, type, to, tag, comm, request);
}

int MPI_Reduce(const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  ++reductions;
  return NEXT(MPI_Reduce)(out, in, count, type, op, root, comm);
}

int MPI_Finalize(void) {
  fprintf(stderr, "tool: %d starts %d sends %d reductions\n", starts, sends, reductions);
  return NEXT(MPI_Finalize)();
}
