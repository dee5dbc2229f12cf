/* One-sided: every kind of window on the world, every way to synchronise, every kind of access. */
#include "conformance.h"

static void fenced(void) {
  int memory[4] = {rank, rank, rank, rank}, got = -1, mine = 100 + rank;
  MPI_Win window;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&mine, 1, MPI_INT, right(1), 1, 1, MPI_INT, window);
  MPI_Accumulate(&mine, 1, MPI_INT, right(2), 2, 1, MPI_INT, MPI_SUM, window);
  MPI_Get(&got, 1, MPI_INT, left(3), 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  tell("fence: %d %d %d %d, got %d", memory[0], memory[1], memory[2], memory[3], got);
  MPI_Win_free(&window);
}

static void started_and_posted(void) {
  int memory = -1;
  const int after = right(1), before = left(1);
  MPI_Group world, sources, targets;
  MPI_Win window;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &before, &sources);
  MPI_Group_incl(world, 1, &after, &targets);
  MPI_Win_create(&memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int way = 0; way < 2; ++way) {
    const int mine = 10 * rank + way;
    int flag = 0;
    MPI_Win_post(sources, 0, window);
    MPI_Win_start(targets, 0, window);
    MPI_Put(&mine, 1, MPI_INT, after, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
    if (way == 0) MPI_Win_wait(window);
    while (way == 1 && !flag) MPI_Win_test(window, &flag);
    tell("posted, way %d: %d", way, memory);
  }
  MPI_Win_free(&window);
  MPI_Group_free(&targets);
  MPI_Group_free(&sources);
  MPI_Group_free(&world);
}

static void locked(void) {
  int *memory, old = -1, one = 1, seen[2] = {-1, -1};
  MPI_Request requests[3];
  MPI_Win window;
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  for (int i = 0; i < 4; ++i) memory[i] = 0;
  MPI_Win_unlock(rank, window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, size - 1, 0, window);
  MPI_Fetch_and_op(&one, &old, MPI_INT, size - 1, 0, MPI_SUM, window);
  MPI_Win_flush(size - 1, window);
  MPI_Win_unlock(size - 1, window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  MPI_Rput(&rank, 1, MPI_INT, left(1), 1, 1, MPI_INT, window, &requests[0]);
  MPI_Raccumulate(&one, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, window, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Win_flush_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rget(&seen[0], 1, MPI_INT, size - 1, 0, 1, MPI_INT, window, &requests[0]);
  MPI_Rget_accumulate(&one, 1, MPI_INT, &seen[1], 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_NO_OP, window,
                      &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Get_accumulate(&one, 1, MPI_INT, &old, 1, MPI_INT, right(1), 1, 1, MPI_INT, MPI_NO_OP,
                     window);
  MPI_Win_flush_local(right(1), window);
  MPI_Win_flush(right(1), window);
  MPI_Win_flush_local_all(window);
  MPI_Win_sync(window);
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  tell("locked: mine %d, counted %d and %d, the right one's %d", memory[1], seen[0], seen[1], old);
  MPI_Win_free(&window);
}

static void compared_and_swapped(void) {
  int *memory, seen = -7, nobody = -1;
  MPI_Win window;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_lock_all(0, window);
  *memory = -1;
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Compare_and_swap(&rank, &nobody, &seen, MPI_INT, right(1), 0, window);
  MPI_Win_flush_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(window);
  tell("swapped: %d, before it was %d", *memory, seen);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

static void shared(void) {
  int *mine, *theirs, unit;
  MPI_Aint bytes;
  MPI_Win window;
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  for (int whole = 0; whole < 2; ++whole) { /* these tests run on one host */
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, whole ? MPI_COMM_WORLD : host,
                            &mine, &window);
    MPI_Win_lock_all(0, window);
    *mine = 7 * rank;
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_shared_query(window, left(1), &bytes, &unit, &theirs);
    MPI_Win_sync(window);
    tell("shared: %d of %d bytes", *theirs, (int)bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
  }
  MPI_Comm_free(&host);
}

static void dynamic(void) {
  int memory = -1;
  MPI_Aint here, there;
  MPI_Win window;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_attach(window, &memory, sizeof memory);
  MPI_Get_address(&memory, &here);
  MPI_Sendrecv(&here, 1, MPI_AINT, left(1), 0, &there, 1, MPI_AINT, right(1), 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, right(1), there, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  tell("attached: %d", memory);
  MPI_Win_detach(window, &memory);
  MPI_Win_free(&window);
}

static int handled, deleted;

static void handle(MPI_Win* window, int* code, ...) {
  (void)window;
  (void)code;
  ++handled;
}

static int count_deletion(MPI_Win window, int key, void* value, void* extra) {
  (void)window;
  (void)key;
  (void)extra;
  deleted += *(int*)value;
  return MPI_SUCCESS;
}

static void described(void) {
  int memory = 0, key, flag, value = 40 + rank, *found, length;
  MPI_Aint* bytes;
  MPI_Win window;
  MPI_Errhandler handler, current;
  MPI_Info info;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Win_create(&memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_set_name(window, "of the world");
  MPI_Win_get_name(window, name, &length);
  MPI_Win_get_attr(window, MPI_WIN_SIZE, &bytes, &flag);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, count_deletion, &key, NULL);
  MPI_Win_set_attr(window, key, &value);
  MPI_Win_get_attr(window, key, &found, &flag);
  tell("'%s' of %d bytes, attribute %d", name, (int)*bytes, flag ? *found : -1);
  MPI_Win_delete_attr(window, key);
  MPI_Win_free_keyval(&key);
  MPI_Win_create_errhandler(handle, &handler);
  MPI_Win_set_errhandler(window, handler);
  MPI_Win_get_errhandler(window, &current);
  MPI_Win_call_errhandler(window, MPI_ERR_OTHER);
  MPI_Win_get_info(window, &info);
  MPI_Win_set_info(window, info);
  tell("deleted %d, handled %d, handler kept %d", deleted, handled, current == handler);
  MPI_Info_free(&info);
  MPI_Errhandler_free(&current);
  MPI_Errhandler_free(&handler);
  MPI_Win_free(&window);
}

void windows(void) {
  fenced();
  started_and_posted();
  locked();
  compared_and_swapped();
  shared();
  dynamic();
  described();
}
