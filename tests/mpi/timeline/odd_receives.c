/* Receives that end in another way: cancelled ones, and ones whose communicator is freed before. Of
   three ranks; rank 0 receives. */
#include <mpi.h>
#include <stdio.h>

static int rank;

static void check(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Nothing has been sent yet: the message is the next receive's. */
static void cancelled(int source, int tag, int tests) {
  int number = 0;
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(&number, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    int done = 0;
    while (tests && !done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!tests) MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&number, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check(rank != 0 || number == tag, "the message behind a cancelled receive");
}

/* The message is there already. */
static void cancelled_too_late(int tag) {
  int number = 0;
  if (rank == 0) {
    MPI_Request request;
    MPI_Status status;
    int is_cancelled = 0;
    MPI_Irecv(&number, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Recv(&number, 1, MPI_INT, 1, tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &is_cancelled);
    check(!is_cancelled, "a message that has come was cancelled");
  } else if (rank == 1) {
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Send(&tag, 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD);
  }
}

/* Ranks in the opposite order: rank 2 of the world is rank 0 there. */
static void outlived(int tag, int persistent) {
  MPI_Comm backwards;
  MPI_Comm other;
  MPI_Request request = MPI_REQUEST_NULL;
  int number = 0;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  if (rank == 0 && persistent) {
    MPI_Recv_init(&number, 1, MPI_INT, MPI_ANY_SOURCE, tag, backwards, &request);
    MPI_Start(&request);
  } else if (rank == 0) {
    MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, tag, backwards, &request);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 2) MPI_Isend(&tag, 1, MPI_INT, 2, tag, backwards, &request);
  MPI_Comm_free(&backwards);
  MPI_Comm_dup(MPI_COMM_WORLD, &other); /* perhaps with the handle of the one before */
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (persistent && rank == 0) MPI_Request_free(&request);
  MPI_Comm_free(&other);
  check(rank != 0 || number == tag, "the message of a freed communicator");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  cancelled(1, 10, 0);
  cancelled(MPI_ANY_SOURCE, 11, 1);
  cancelled_too_late(20);
  outlived(30, 0);
  outlived(31, 1);
  MPI_Finalize();
  return 0;
}
