/* Attributes of communicators: kept, copied, deleted, and with which handle callbacks are told. */
#include "conformance.h"

static int values[4] = {10, 11, 12, 13};
static int copies, deletions, named_world, told_extra;

static int copy_and_advance(MPI_Comm old, int key, void* extra, void* value, void* new_value,
                            int* flag) {
  (void)key;
  ++copies;
  named_world += old == MPI_COMM_WORLD;
  told_extra += *(int*)extra;
  *(void**)new_value = (int*)value + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

static int do_not_copy(MPI_Comm old, int key, void* extra, void* value, void* new_value,
                       int* flag) {
  (void)key;
  (void)extra;
  (void)value;
  (void)new_value;
  named_world += old == MPI_COMM_WORLD;
  *flag = 0;
  return MPI_SUCCESS;
}

static int refuse_copy(MPI_Comm old, int key, void* extra, void* value, void* new_value,
                       int* flag) {
  (void)old;
  (void)key;
  (void)extra;
  (void)value;
  (void)new_value;
  *flag = 0;
  return MPI_ERR_OTHER;
}

static int count_deletion(MPI_Comm comm, int key, void* value, void* extra) {
  int members;
  (void)key;
  MPI_Comm_size(comm, &members);
  deletions += 1 + (members == size ? 100 : 0);
  named_world += comm == MPI_COMM_WORLD;
  told_extra += *(int*)extra + *(int*)value;
  return MPI_SUCCESS;
}

/* Until *extra says otherwise. */
static int refuse_deletion(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm;
  (void)key;
  (void)value;
  return *(int*)extra != 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int value_of(MPI_Comm comm, int key) {
  int* value = NULL;
  int found = 0;
  MPI_Comm_get_attr(comm, key, &value, &found);
  return found ? *value : -1;
}

static void tell_counts(const char* when) {
  tell("%s: %d copies, %d deletions, %d times the world, extra %d", when, copies, deletions,
       named_world, told_extra);
  copies = deletions = named_world = told_extra = 0;
}

static void own(void) {
  static int extra = 1000;
  MPI_Comm copy, again, grid;
  MPI_Request request;
  int key, other;
  MPI_Comm_create_keyval(copy_and_advance, count_deletion, &key, &extra);
  MPI_Comm_create_keyval(do_not_copy, MPI_COMM_NULL_DELETE_FN, &other, NULL);
  tell("before: %d", value_of(MPI_COMM_WORLD, key));
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &values[1]);
  MPI_Comm_set_attr(MPI_COMM_WORLD, other, &values[3]);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &values[0]);
  tell_counts("set twice");
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_idup(copy, &again, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  tell("world %d, copy %d, its copy %d; not copied %d, %d", value_of(MPI_COMM_WORLD, key),
       value_of(copy, key), value_of(again, key), value_of(MPI_COMM_WORLD, other),
       value_of(copy, other));
  tell_counts("copied");
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &size, 1, &grid);
  MPI_Comm_free(&grid);
  tell_counts("a topology copies nothing");
  MPI_Comm_delete_attr(copy, key);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&again);
  tell_counts("copies gone");
  MPI_Comm_free_keyval(&key);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, other);
  tell("keyval gone: %d", key == MPI_KEYVAL_INVALID);
}

static void refused(void) {
  MPI_Comm copy = MPI_COMM_NULL;
  int key, code, refuses = 1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_create_keyval(refuse_copy, refuse_deletion, &key, &refuses);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &values[2]);
  code = MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  tell("copy refused: %d", code != MPI_SUCCESS);
  code = MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  tell("deletion refused: %d", code != MPI_SUCCESS);
  refuses = 0;
  code = MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  tell("then not: %s", class_of(code));
  MPI_Comm_free_keyval(&key);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void of_the_standard(void) {
  MPI_Comm copy, twice;
  int key;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &values[2]);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_dup(copy, &twice);
  tell("as it is: %d %d", value_of(copy, key), value_of(twice, key));
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(copy, key, &values[2]);
  MPI_Comm_free(&twice);
  MPI_Comm_dup(copy, &twice);
  tell("not copied: %d %d", value_of(copy, key), value_of(twice, key));
  MPI_Comm_free(&twice);
  MPI_Comm_free(&copy);
  MPI_Comm_free_keyval(&key);
}

/* Found on the world, and wherever the library of this program has them without Kith. */
static void predefined(void) {
  static const struct {
    int key;
    const char* name;
  } keys[] = {{MPI_TAG_UB, "MPI_TAG_UB"},
              {MPI_HOST, "MPI_HOST"},
              {MPI_IO, "MPI_IO"},
              {MPI_WTIME_IS_GLOBAL, "MPI_WTIME_IS_GLOBAL"},
              {MPI_APPNUM, "MPI_APPNUM"},
              {MPI_UNIVERSE_SIZE, "MPI_UNIVERSE_SIZE"},
              {MPI_LASTUSEDCODE, "MPI_LASTUSEDCODE"}};
  MPI_Comm copy, twice, part, later;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_dup_with_info(copy, MPI_INFO_NULL, &twice);
  MPI_Comm_idup(MPI_COMM_WORLD, &later, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    const int on_world = value_of(MPI_COMM_WORLD, keys[i].key);
    tell("%s: %d; of copies %d %d %d; of a part %d", keys[i].name, on_world,
         value_of(copy, keys[i].key), value_of(twice, keys[i].key), value_of(later, keys[i].key),
         value_of(part, keys[i].key));
  }
  MPI_Comm_free(&part);
  MPI_Comm_free(&later);
  MPI_Comm_free(&twice);
  MPI_Comm_free(&copy);
}

static void old_names(void) {
  void* found = NULL;
  int flag = 0, key;
  MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &found, &flag);
  tell("MPI_Attr_get: %d, %d", flag, flag ? *(int*)found >= 32767 : -1);
  MPI_Keyval_create((MPI_Copy_function*)copy_and_advance, (MPI_Delete_function*)count_deletion,
                    &key, &values[0]);
  MPI_Attr_put(MPI_COMM_WORLD, key, &values[2]);
  MPI_Attr_get(MPI_COMM_WORLD, key, &found, &flag);
  tell("MPI_Attr_put: %d", flag ? *(int*)found : -1);
  MPI_Attr_delete(MPI_COMM_WORLD, key);
  MPI_Attr_get(MPI_COMM_WORLD, key, &found, &flag);
  tell("MPI_Attr_delete: %d", flag);
  tell_counts("by the old names");
  MPI_Keyval_free(&key);
}

void attributes(void) {
  own();
  refused();
  of_the_standard();
  predefined();
  old_names();
}
