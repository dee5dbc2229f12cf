/* Communicators made from the world, and from those. */
#include "conformance.h"

static void duplicates(void) {
  MPI_Comm copy, later, again;
  MPI_Request request;
  MPI_Info info;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  tell_communicator("dup", copy);
  MPI_Comm_idup(copy, &later, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  tell_communicator("idup", later);
  MPI_Info_create(&info);
  MPI_Info_set(info, "kith_test", "1");
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &again);
  tell_communicator("dup_with_info", again);
  MPI_Info_free(&info);
  MPI_Comm_free(&again);
  MPI_Comm_free(&later);
  MPI_Comm_disconnect(&copy);
  tell("gone: %d", copy == MPI_COMM_NULL);
}

static void splits(void) {
  MPI_Comm part, line;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &part);
  tell_communicator("split, backwards", part);
  MPI_Comm_split(part, rank % 2 == 0 ? 0 : MPI_UNDEFINED, rank, &line);
  if (line != MPI_COMM_NULL) {
    tell_communicator("split of it", line);
    MPI_Comm_free(&line);
  } else {
    tell("not in it");
  }
  MPI_Comm_free(&part);
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part); /* equal keys: the world's order */
  tell_communicator("split in the world's order", part);
  MPI_Comm_free(&part);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part);
  tell_communicator("on this host", part); /* these tests run on one */
  MPI_Comm_free(&part);
  MPI_Comm_split_type(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, -rank,
                      MPI_INFO_NULL, &part);
  tell("on this host without rank 1: %d", part != MPI_COMM_NULL);
  if (part != MPI_COMM_NULL) {
    tell_communicator("backwards", part);
    MPI_Comm_free(&part);
  }
}

static void from_groups(void) {
  MPI_Group all, some;
  MPI_Comm made;
  int range[1][3] = {{size - 1, 0, -2}};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_range_incl(all, 1, range, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &made);
  if (made != MPI_COMM_NULL) {
    tell_communicator("create", made);
    MPI_Comm_free(&made);
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 17, &made);
    tell_communicator("create_group", made);
    MPI_Comm_free(&made);
  } else {
    tell("not created here");
  }
  MPI_Group_free(&some);
  MPI_Group_free(&all);
}

/* What the standard forbids is an error, and does no harm. */
static void misuse(void) {
  MPI_Comm world = MPI_COMM_WORLD, none = MPI_COMM_NULL;
  int code, flag, members;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  code = MPI_Comm_free(&world);
  tell("freeing the world: %s, still there: %d", class_of(code), world == MPI_COMM_WORLD);
  code = MPI_Comm_rank(none, &flag);
  tell("rank in nothing: %s", class_of(code));
  code = MPI_Comm_split(MPI_COMM_WORLD, -5, 0, &none);
  tell("split by a negative colour: %d", code != MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_test_inter(MPI_COMM_WORLD, &flag);
  MPI_Comm_size(MPI_COMM_WORLD, &members);
  tell("between: %d, as many as at first: %d", flag, members == size);
}

void communicators(void) {
  duplicates();
  splits();
  from_groups();
  misuse();
  tell_communicator("the world", MPI_COMM_WORLD);
  tell_communicator("self", MPI_COMM_SELF);
}
