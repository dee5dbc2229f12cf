/* Several ways to find MPI_Comm_rank: all must give the same rank.
 * Usage: private_lookups PLUGIN COPY_OF_PLUGIN MPI_LIBRARY
 * The plug-in is opened before MPI_Init, its copy after it, both with RTLD_DEEPBIND. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

typedef int rank_function(MPI_Comm, int *);
typedef int plugin_function(void);

static int wrong = 0;

static void compare(const char *way, int rank, int found) {
  if (rank == found) return;
  printf("rank %d is %d by %s\n", rank, found, way);
  ++wrong;
}

static plugin_function *open_plugin(const char *path, int flags) {
  void *const library = dlopen(path, flags);
  if (library == NULL) {
    puts(dlerror());
    return NULL;
  }
  return __extension__(plugin_function *)dlsym(library, "plugin_rank");
}

static int rank_by(void *library) {
  int rank = -1;
  rank_function *const function = __extension__(rank_function *)dlsym(library, "MPI_Comm_rank");
  function(MPI_COMM_WORLD, &rank);
  return rank;
}

int main(int argc, char **argv) {
  int rank = -1, all_wrong = 0;
  plugin_function *early, *late;
  if (argc != 4) return 2;
  early = open_plugin(argv[1], RTLD_NOW | RTLD_DEEPBIND);
  MPI_Init(&argc, &argv);
  late = open_plugin(argv[2], RTLD_LAZY | RTLD_DEEPBIND);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (early == NULL || late == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  compare("a library opened before MPI_Init", rank, early());
  compare("a library opened after MPI_Init", rank, late());
  compare("the global scope", rank, rank_by(RTLD_DEFAULT));
  compare("the MPI library", rank, rank_by(dlopen(argv[3], RTLD_NOW)));
  compare("the program", rank, rank_by(dlopen(NULL, RTLD_NOW)));
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong\n", all_wrong);
  MPI_Finalize();
  return 0;
}
