/* Two halves of the world that know each other by ranks of the world. */
#include "conformance.h"

static void talk(MPI_Comm between, int low) {
  int here, others, got = -1, sum = -1;
  MPI_Status status;
  MPI_Comm_rank(between, &here);
  MPI_Comm_remote_size(between, &others);
  MPI_Request request = MPI_REQUEST_NULL;
  if (here < others) { /* one half may be larger */
    MPI_Isend(&rank, 1, MPI_INT, here, 0, between, &request);
    MPI_Recv(&got, 1, MPI_INT, here, 0, between, &status);
    tell("heard %d from %d", got, status.MPI_SOURCE);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(between);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
  tell("the others' sum is %d", sum);
  got = low ? 500 + rank : -1;
  MPI_Bcast(&got, 1, MPI_INT, low ? (here == 1 ? MPI_ROOT : MPI_PROC_NULL) : 1, between);
  tell("from the low half's 1: %d", got);
}

static void tell_remote(MPI_Comm between) {
  MPI_Group far, world;
  int members, first = 0, there, flag;
  MPI_Comm_remote_group(between, &far);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_size(far, &members);
  MPI_Group_translate_ranks(far, 1, &first, world, &there);
  MPI_Comm_test_inter(between, &flag);
  tell("%d others, the first is %d, between: %d", members, there, flag);
  MPI_Group_free(&world);
  MPI_Group_free(&far);
}

/* The halves' leaders are their last members: one each of both is known by its rank in the world.
 */
void intercommunicators(void) {
  MPI_Comm half, between, merged, copy;
  const int low = rank < size / 2;
  int members;
  MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half);
  MPI_Comm_size(half, &members);
  MPI_Intercomm_create(half, members - 1, MPI_COMM_WORLD, low ? size - 1 : size / 2 - 1, 3,
                       &between);
  tell_remote(between);
  talk(between, low);
  MPI_Intercomm_merge(between, low, &merged);
  tell_communicator("merged, low half behind", merged);
  MPI_Comm_free(&merged);
  MPI_Comm_dup(between, &copy);
  tell_remote(copy);
  MPI_Comm_free(&copy);
  MPI_Comm_split(between, rank % 2, rank, &copy);
  tell("split: %d", copy != MPI_COMM_NULL);
  if (copy != MPI_COMM_NULL) {
    tell_remote(copy);
    MPI_Comm_free(&copy);
  }
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}
