/* Opens libkith.so as a plug-in would, calls MPI through it, closes it and goes on.
 *
 * leaver LIBKITH */
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#define FROM(library, function) ((__typeof__(&function))(uintptr_t)dlsym(library, #function))

int main(int argc, char** argv) {
  void* const library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  int one = 1;
  int sum = 0;
  FROM(library, MPI_Init)(&argc, &argv);
  FROM(library, MPI_Allreduce)(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  dlclose(library);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
  MPI_Comm_free(&copy);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%d ranks go on\n", sum);
  MPI_Finalize();
  return 0;
}
