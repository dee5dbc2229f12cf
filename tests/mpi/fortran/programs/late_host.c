/* late_host LIBRARY: loads a library in Fortran privately and late, as Python does with its
 * extensions. Built in two ways: with BARE, nothing here uses MPI, and it begins and ends in the
 * library; otherwise it begins here. */
#include <dlfcn.h>
#include <stdio.h>
#ifndef BARE
#include <mpi.h>
#endif

int main(int argc, char** argv) {
  int begins = 1;
#ifndef BARE
  begins = 0;
  MPI_Init(&argc, &argv);
#endif
  void* const library = argc == 2 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
  void (*guest)(int) = NULL;
  if (library != NULL) *(void**)&guest = dlsym(library, "late_guest");
  if (guest == NULL) {
    fprintf(stderr, "late_host: %s\n", dlerror());
    return 1;
  }
  guest(begins);
#ifndef BARE
  MPI_Finalize();
#endif
  return 0;
}
