/* MPI_Finalize and MPI_Abort: the last that a program sees of its world. */
#include <unistd.h>

#include "conformance.h"

static const char* const names[] = {"of self, set first", "of self, set last", "of the world"};

/* Printed at once: nobody will gather lines any more. Only the world's rank 0 does. */
static int say(MPI_Comm comm, int key, void* value, void* extra) {
  int here = -1, members = -1;
  (void)key;
  (void)extra;
  if (comm == MPI_COMM_SELF) { /* MPI still works for these */
    MPI_Comm_rank(MPI_COMM_WORLD, &here);
    MPI_Comm_size(MPI_COMM_WORLD, &members);
  }
  if (rank == 0) {
    printf("deleted: %s, the world's: %d, rank %d of %d\n", (const char*)value,
           comm == MPI_COMM_WORLD, here, members);
    fflush(stdout);
  }
  return MPI_SUCCESS;
}

void finalize(void) {
  int key, other, initialized, finalized;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, say, &key, NULL);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, say, &other, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, (void*)names[0]);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, (void*)names[2]);
  MPI_Comm_set_attr(MPI_COMM_SELF, other, (void*)names[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (rank == 0) printf("initialized %d, finalized %d\n", initialized, finalized);
}

/* By the world's last rank, while the others wait for it. */
void end_by_abort(void) {
  if (rank == 0) {
    printf("waiting for the end\n");
    fflush(stdout);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == size - 1) {
    usleep(200000); /* rank 0's line is on its way */
    MPI_Abort(MPI_COMM_WORLD, 7);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}
