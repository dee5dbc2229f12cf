/* Names and hints of communicators, windows and datatypes; the info objects themselves. */
#include "conformance.h"

static void tell_name(const char* what, MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  MPI_Comm_get_name(comm, name, &length);
  tell("%s: '%s' of %d", what, name, length);
}

static void names(void) {
  MPI_Comm copy;
  MPI_Datatype type;
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  tell_name("world", MPI_COMM_WORLD);
  tell_name("self", MPI_COMM_SELF);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_name(copy, "a copy");
  MPI_Comm_set_name(MPI_COMM_WORLD, "everybody");
  tell_name("world", MPI_COMM_WORLD);
  tell_name("copy", copy);
  MPI_Comm_set_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");
  MPI_Comm_free(&copy);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_set_name(type, "two");
  MPI_Type_get_name(type, name, &length);
  tell("type: '%s'", name);
  MPI_Type_free(&type);
}

static void hints(void) {
  MPI_Info given, found, copy;
  char value[MPI_MAX_INFO_VAL + 1] = "", key[MPI_MAX_INFO_KEY + 1];
  int flag = 0, keys, length;
  MPI_Info_create(&given);
  MPI_Info_set(given, "kith_colour", "blue");
  MPI_Info_set(given, "kith_shape", "round");
  MPI_Info_dup(given, &copy);
  MPI_Info_delete(copy, "kith_colour");
  MPI_Info_get_nkeys(copy, &keys);
  MPI_Info_get_nthkey(copy, 0, key);
  MPI_Info_get_valuelen(copy, key, &length, &flag);
  MPI_Info_get(copy, key, MPI_MAX_INFO_VAL, value, &flag);
  tell("info: %d, %s = %s of %d", keys, key, value, length);
  /* hints that a library does not know may be dropped: it answers, that is all */
  tell("set: %s", class_of(MPI_Comm_set_info(MPI_COMM_WORLD, given)));
  tell("got: %s", class_of(MPI_Comm_get_info(MPI_COMM_WORLD, &found)));
  MPI_Info_get(found, "kith_colour", MPI_MAX_INFO_VAL, value, &flag);
  tell("kept: %d", flag);
  MPI_Info_free(&found);
  MPI_Info_free(&copy);
  MPI_Info_free(&given);
}

void names_and_info(void) {
  names();
  hints();
}
