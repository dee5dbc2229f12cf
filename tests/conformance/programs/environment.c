/* What needs no communicator: state, time, memory, versions, requests of the program's own. */
#include "conformance.h"

static int query(void* state, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, *(int*)state);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = rank;
  status->MPI_TAG = 3;
  return MPI_SUCCESS;
}

static int release(void* state) {
  *(int*)state = -1;
  return MPI_SUCCESS;
}

static int cancel(void* state, int done) {
  (void)state;
  (void)done;
  return MPI_SUCCESS;
}

static void own_request(void) {
  int state = 5, count;
  MPI_Request request;
  MPI_Status status;
  MPI_Grequest_start(query, release, cancel, &state, &request);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, &status);
  MPI_Get_elements(&status, MPI_INT, &count);
  tell("own request: %d elements from %d, freed %d", count, status.MPI_SOURCE, state);
}

void environment(void) {
  int initialized, finalized, level, main_thread, version, part, length;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  void* memory = NULL;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  MPI_Query_thread(&level);
  MPI_Is_thread_main(&main_thread);
  MPI_Get_version(&version, &part);
  tell("initialized %d, finalized %d, serialized %d, main thread %d, MPI %d.%d", initialized,
       finalized, level >= MPI_THREAD_SERIALIZED, main_thread, version, part);
  MPI_Get_library_version(text, &length);
  tell("a version: %d", length > 0);
  MPI_Get_processor_name(text, &length);
  tell("a processor: %d", length > 0);
  const double begin = MPI_Wtime();
  tell("time passes: %d, in ticks: %d", MPI_Wtime() >= begin, MPI_Wtick() > 0);
  MPI_Alloc_mem(100, MPI_INFO_NULL, &memory);
  tell("memory: %d", memory != NULL);
  MPI_Free_mem(memory);
  tell("a level of profiling: %s", class_of(MPI_Pcontrol(1)));
  own_request();
}
