/* MPI 4's sessions beside the world, or alone: sessions after|before|only.
 *
 *   after    opened after MPI_Init: its set of all processes agrees with MPI_COMM_WORLD
 *   before   opened before: the same
 *   only     no MPI_Init at all
 *
 * Rank 0 prints one line when all held. */
#include <mpi.h>
#include <string.h>

#include "check.h"

static MPI_Session session;

static MPI_Comm of_all_processes(void) {
  MPI_Group group;
  MPI_Comm all;
  CHECK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group) == MPI_SUCCESS);
  CHECK(MPI_Comm_create_from_group(group, "kith-test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &all) ==
        MPI_SUCCESS);
  MPI_Group_free(&group);
  return all;
}

/* The lower half of the ranks meets the upper one. */
static void halves(MPI_Comm all) {
  int rank, size, remote;
  MPI_Group group, lower, upper;
  MPI_Comm both;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &size);
  MPI_Comm_group(all, &group);
  int first[1][3] = {{0, size / 2 - 1, 1}}, second[1][3] = {{size / 2, size - 1, 1}};
  MPI_Group_range_incl(group, 1, first, &lower);
  MPI_Group_range_incl(group, 1, second, &upper);
  const int low = rank < size / 2;
  MPI_Intercomm_create_from_groups(low ? lower : upper, 0, low ? upper : lower, 0, "kith-halves",
                                   MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &both);
  int mine = rank, partner = -1;
  MPI_Comm_remote_size(both, &remote);
  CHECK(remote == (low ? size - size / 2 : size / 2));
  if (rank % (size / 2) == 0 && rank <= size / 2) {
    MPI_Sendrecv(&mine, 1, MPI_INT, 0, 1, &partner, 1, MPI_INT, 0, 1, both, MPI_STATUS_IGNORE);
    CHECK(partner == (low ? size / 2 : 0));
  }
  MPI_Comm_free(&both);
  MPI_Group_free(&lower);
  MPI_Group_free(&upper);
  MPI_Group_free(&group);
}

static void ring(MPI_Comm comm) {
  int rank, size, got = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int left = (rank + size - 1) % size;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, left, 0, comm,
               MPI_STATUS_IGNORE);
  CHECK(got == left);
  if (rank == 0) printf("a ring of %d\n", size);
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  const int has_world = strcmp(argv[1], "only") != 0;
  if (strcmp(argv[1], "after") == 0) MPI_Init(&argc, &argv);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  if (strcmp(argv[1], "before") == 0) MPI_Init(&argc, &argv);
  MPI_Comm all = of_all_processes();
  if (has_world) {
    int in_session, in_world;
    MPI_Comm_rank(all, &in_session);
    MPI_Comm_rank(MPI_COMM_WORLD, &in_world);
    CHECK(in_session == in_world);
  }
  ring(all);
  halves(all);
  MPI_Comm_free(&all);
  MPI_Session_finalize(&session);
  if (has_world) MPI_Finalize();
  return 0;
}
