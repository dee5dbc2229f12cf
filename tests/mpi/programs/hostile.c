/* Programs that make life hard for Kith, by name: deleted-folder, file-size, no-environment,
 * attributes, many-phases, too-early, too-late. Each ends well where Kith does not get in the way. */
#define _GNU_SOURCE
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

static int rank;

/* An attribute that refuses to be copied, as programs do to forbid duplicates. */
static int refuse_copy(MPI_Comm comm, int keyval, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)keyval, (void)in, (void)out;
  ++*(int*)extra;
  *flag = 0;
  return rank == 1 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void reorder_once(void) {
  MPI_Comm made;
  CHECK(kith_reorder(MPI_COMM_WORLD, NULL, &made) == MPI_SUCCESS);
  MPI_Comm_free(&made);
}

static void limit_files(void) {
  const struct rlimit limit = {200, 200};
  setrlimit(RLIMIT_FSIZE, &limit);
}

static void attributes(void) {
  int copies = 0, keyval;
  MPI_Comm_create_keyval(refuse_copy, MPI_COMM_NULL_DELETE_FN, &keyval, &copies);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, NULL);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "a") == MPI_SUCCESS);
  CHECK(copies == 0);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
}

/* Where MPI has no world. */
static void call_all(void) {
  MPI_Comm made = MPI_COMM_NULL;
  const int peer = 0;
  int number = 0;
  CHECK(kith_reorder(MPI_COMM_WORLD, NULL, &made) == MPI_ERR_OTHER);
  CHECK(kith_reorder_graph(MPI_COMM_WORLD, 1, &peer, NULL, NULL, &made) == MPI_ERR_OTHER);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "a") == MPI_ERR_OTHER);
  CHECK(kith_redistribute(MPI_COMM_WORLD, MPI_COMM_WORLD, &number, 1, MPI_INT) == MPI_ERR_OTHER);
  CHECK(made == MPI_COMM_NULL);
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  char folder[] = "/tmp/kith-test-XXXXXX";
  if (strcmp(argv[1], "deleted-folder") == 0) {
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0 && rmdir(folder) == 0);
  }
  if (strcmp(argv[1], "too-early") == 0) call_all();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(argv[1], "file-size") == 0) {
    limit_files();
    reorder_once();
  } else if (strcmp(argv[1], "no-environment") == 0) {
    clearenv();
    reorder_once();
  } else if (strcmp(argv[1], "attributes") == 0) {
    attributes();
  } else if (strcmp(argv[1], "many-phases") == 0) {
    for (int i = 0; i < 300; ++i) CHECK(kith_checkpoint(MPI_COMM_WORLD, "again") == MPI_SUCCESS);
    MPI_Pcontrol(1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("ended well\n");
  MPI_Finalize();
  if (strcmp(argv[1], "too-late") == 0) call_all();
  return 0;
}
