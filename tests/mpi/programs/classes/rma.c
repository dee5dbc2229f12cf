/* One-sided: a unit by each operation, between a rank and its right neighbour. The windows are made
 * beforehand: what that takes is no part of it. */
#include "sections.h"

/* Within a pair of fences. */
#define FENCED(section, call)                  \
  static void section(void) {                  \
    MPI_Win_fence(0, window);                  \
    call;                                      \
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window); \
  }

/* Requests need a passive epoch. */
#define REQUESTED(section, call)           \
  static void section(void) {              \
    MPI_Request request;                   \
    MPI_Win_lock_all(0, window);           \
    call;                                  \
    MPI_Wait(&request, MPI_STATUS_IGNORE); \
    MPI_Win_unlock_all(window);            \
  }

#define FROM_US out, ints, MPI_INT
#define TO_US in, ints, MPI_INT
#define THERE right, 0, ints, MPI_INT

FENCED(put, MPI_Put(FROM_US, THERE, window))
FENCED(get, MPI_Get(TO_US, THERE, window))
FENCED(accumulate, MPI_Accumulate(FROM_US, THERE, MPI_SUM, window))
FENCED(get_accumulate, MPI_Get_accumulate(FROM_US, TO_US, THERE, MPI_SUM, window))
FENCED(fetch_and_op, MPI_Fetch_and_op(out, in, MPI_INT, right, 0, MPI_SUM, window))
FENCED(compare_and_swap, MPI_Compare_and_swap(out, out, in, MPI_INT, right, 0, window))
REQUESTED(rput, MPI_Rput(FROM_US, THERE, window, &request))
REQUESTED(rget, MPI_Rget(TO_US, THERE, window, &request))
REQUESTED(raccumulate, MPI_Raccumulate(FROM_US, THERE, MPI_SUM, window, &request))
REQUESTED(rget_accumulate, MPI_Rget_accumulate(FROM_US, TO_US, THERE, MPI_SUM, window, &request))
FENCED(put_to_oneself, MPI_Put(FROM_US, rank, 0, ints, MPI_INT, window))
FENCED(put_to_nobody, MPI_Put(FROM_US, MPI_PROC_NULL, 0, ints, MPI_INT, window))

/* Ranks of a window are those of its communicator, here in reverse order. */
static void put_another_communicator(void) {
  MPI_Win_fence(0, backwards_window);
  MPI_Put(FROM_US, ranks - 1 - right, 0, ints, MPI_INT, backwards_window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, backwards_window);
}

static void put_allocated(void) {
  MPI_Win_fence(0, allocated_window);
  MPI_Put(FROM_US, THERE, allocated_window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, allocated_window);
}

/* The same bytes in different types on either side. */
static void put_types(void) {
  MPI_Datatype strided;
  MPI_Type_vector(ints / 2, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  MPI_Win_fence(0, window);
  MPI_Put(out, 2, strided, THERE, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  MPI_Type_free(&strided);
}

static void put_post_start(void) {
  MPI_Group world, origin, target;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &left, &origin);
  MPI_Group_incl(world, 1, &right, &target);
  MPI_Win_post(origin, 0, window);
  MPI_Win_start(target, 0, window);
  MPI_Put(FROM_US, THERE, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  MPI_Group_free(&target);
  MPI_Group_free(&origin);
  MPI_Group_free(&world);
}

static void get_lock(void) {
  MPI_Win_lock(MPI_LOCK_SHARED, right, 0, window);
  MPI_Get(TO_US, THERE, window);
  MPI_Win_flush(right, window);
  MPI_Win_unlock(right, window);
}

const Section rma_sections[] = {
    {"put", put},
    {"get", get},
    {"accumulate", accumulate},
    {"get_accumulate", get_accumulate},
    {"fetch_and_op", fetch_and_op},
    {"compare_and_swap", compare_and_swap},
    {"rput", rput},
    {"rget", rget},
    {"raccumulate", raccumulate},
    {"rget_accumulate", rget_accumulate},
    {"put_to_oneself", put_to_oneself},
    {"put_to_nobody", put_to_nobody},
    {"put_types", put_types},
    {"put_post_start", put_post_start},
    {"get_lock", get_lock},
    {"put_another_communicator", put_another_communicator},
    {"put_allocated", put_allocated},
    {NULL, NULL},
};
