/* The tools interface: what it says may differ between machines, that it answers may not. A
 * variable that belongs to a communicator is that of the world which the program knows. */
#include "conformance.h"

static void variables(void) {
  int count;
  MPI_T_cvar_get_num(&count);
  tell("settings: %d", count > 0);
  int scope, bind, verbosity, index, numbers, name_length = 0, text_length = 0;
  MPI_Datatype type;
  MPI_T_enum values;
  MPI_T_cvar_handle handle;
  MPI_T_cvar_get_info(0, NULL, &name_length, &verbosity, &type, &values, NULL, &text_length, &bind,
                      &scope);
  char* name = malloc((size_t)name_length + 1);
  text_length = 0;
  MPI_T_cvar_get_info(0, name, &name_length, &verbosity, &type, &values, NULL, &text_length, &bind,
                      &scope);
  MPI_T_cvar_get_index(name, &index);
  tell("the first has its name: %d", index == 0);
  free(name);
  if (bind == MPI_T_BIND_NO_OBJECT) {
    tell("handle: %d", MPI_T_cvar_handle_alloc(0, NULL, &handle, &numbers) == MPI_SUCCESS);
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_T_category_get_num(&count);
  tell("categories: %d", count > 0);
}

/* Counters that belong to communicators: one handle each for the world. */
static void counters(void) {
  int count, bound = 0, allocated = 0, wrong_counts = 0;
  MPI_T_pvar_session session;
  MPI_T_pvar_get_num(&count);
  MPI_T_pvar_session_create(&session);
  for (int i = 0; i < count; ++i) {
    int verbosity, class, bind, read_only, continuous, atomic, numbers = 0;
    MPI_Datatype type;
    MPI_T_enum values;
    MPI_T_pvar_handle handle;
    MPI_Comm world = MPI_COMM_WORLD;
    int no_name = 0, no_text = 0; /* MPICH 4.0 takes no null for them */
    if (MPI_T_pvar_get_info(i, NULL, &no_name, &verbosity, &class, &type, &values, NULL, &no_text,
                            &bind, &read_only, &continuous, &atomic) != MPI_SUCCESS ||
        bind != MPI_T_BIND_MPI_COMM) {
      continue;
    }
    ++bound;
    if (MPI_T_pvar_handle_alloc(session, i, &world, &handle, &numbers) != MPI_SUCCESS) continue;
    ++allocated;
    wrong_counts += numbers > 1 && numbers != size;
    MPI_T_pvar_handle_free(session, &handle);
  }
  MPI_T_pvar_session_free(&session);
  tell("counters of communicators: %d, handles: %d, of another size: %d", bound, allocated,
       wrong_counts);
}

/* Open MPI counts messages that nobody has received yet, by sender in the world. */
static void waiting_messages(void) {
  static const char name[] = "pml_ob1_unexpected_msgq_length";
  int index, numbers = 0, flag = 0;
  MPI_T_pvar_session session;
  MPI_T_pvar_handle handle;
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Send(&rank, 1, MPI_INT, right(1), 21, MPI_COMM_WORLD);
  while (!flag) MPI_Iprobe(left(1), 21, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  if (MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_SIZE, &index) == MPI_SUCCESS) {
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_handle_alloc(session, index, &world, &handle, &numbers);
    unsigned* const waiting = calloc((size_t)(numbers > 0 ? numbers : 1), sizeof *waiting);
    MPI_T_pvar_read(session, handle, waiting);
    tell("from the left one, one for each rank: %d", numbers == size && waiting[left(1)] > 0);
    free(waiting);
    MPI_T_pvar_handle_free(session, &handle);
    MPI_T_pvar_session_free(&session);
  }
  MPI_Recv(&flag, 1, MPI_INT, left(1), 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  tell("received %d", flag);
}

void tools(void) {
  int provided;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  variables();
  counters();
  MPI_Barrier(MPI_COMM_WORLD);
  waiting_messages();
  MPI_T_finalize();
}
