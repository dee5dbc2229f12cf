/* Errors raised on the world, on what was made from it, and on no communicator at all. */
#include <stdarg.h>
#include <string.h>

#include "conformance.h"

static int calls, named_world, named_other, classes[4], texts;
static MPI_Comm expected;
static char where[64]; /* the call, where the library tells */

static void note_call(MPI_Comm* comm, const int* code, const char* name) {
  int class, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Error_class(*code, &class);
  MPI_Error_string(*code, text, &length);
  texts += length > 0;
  named_world += *comm == MPI_COMM_WORLD;
  named_other += *comm == expected;
  if (calls < 4) classes[calls] = *code;
  ++calls;
  if (name != NULL) strncpy(where, name, sizeof where - 1);
}

/* What follows the code differs between libraries: Open MPI names the call. */
#ifdef OPEN_MPI
#define NAME_OF_CALL(name, last)         \
  va_list arguments;                     \
  va_start(arguments, last);             \
  name = va_arg(arguments, const char*); \
  va_end(arguments)
#else
#define NAME_OF_CALL(name, last) (void)0
#endif

static void note(MPI_Comm* comm, int* code, ...) {
  const char* name = NULL;
  NAME_OF_CALL(name, code);
  note_call(comm, code, name);
}

static void note_and_forgive(MPI_Comm* comm, int* code, ...) {
  const char* name = NULL;
  NAME_OF_CALL(name, code);
  note_call(comm, code, name);
  *code = MPI_SUCCESS;
}

static void tell_calls(const char* what, int code) {
  tell("%s: returned %s; %d calls, world %d, the expected one %d, first %s, last in '%s'", what,
       class_of(code), calls, named_world, named_other, calls > 0 ? class_of(classes[0]) : "none",
       where);
  where[0] = 0;
  calls = named_world = named_other = texts = 0;
}

static void on_world(MPI_Errhandler handler) {
  MPI_Errhandler found;
  char byte = 0;
  MPI_Comm copy;
  MPI_Datatype type;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
  tell("kept: %d", found == handler);
  MPI_Errhandler_free(&found);
  expected = MPI_COMM_WORLD;
  tell_calls("no such rank", MPI_Send(&byte, 1, MPI_CHAR, size + 5, 0, MPI_COMM_WORLD));
  tell_calls("no such tag", MPI_Send(&byte, 1, MPI_CHAR, 0, -7, MPI_COMM_WORLD));
  tell_calls("without a communicator", MPI_Type_contiguous(-1, MPI_INT, &type));
  tell_calls("by hand", MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER) && 0);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  expected = copy;
  tell_calls("inherited by a copy", MPI_Send(&byte, 1, MPI_CHAR, size + 5, 0, copy));
  MPI_Comm_free(&copy);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &copy);
  expected = copy;
  tell_calls("inherited by a part", MPI_Recv(&byte, 1, MPI_CHAR, size, 0, copy, MPI_STATUS_IGNORE));
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  tell_calls("returned", MPI_Send(&byte, -1, MPI_CHAR, 0, 0, copy));
  MPI_Comm_free(&copy);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Error classes of the program's own, and of truncated messages. */
static void codes(void) {
  int class, code, length, out[2] = {1, 2}, in = 0, last, *used, flag;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Status status;
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_string(code, "the test's own");
  MPI_Error_string(code, text, &length);
  MPI_Error_class(code, &last);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &used, &flag);
  tell("own: %s, class kept %d, last used %d", text, last == class, flag && *used >= code);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, left(1), 4, MPI_COMM_WORLD, &request);
  MPI_Send(out, 2, MPI_INT, right(1), 4, MPI_COMM_WORLD);
  code = MPI_Wait(&request, &status);
  tell("too long: %s", class_of(code));
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void old_names(void) {
  MPI_Errhandler handler, found;
  char byte = 0;
  MPI_Errhandler_create(note, &handler);
  MPI_Errhandler_set(MPI_COMM_WORLD, handler);
  MPI_Errhandler_get(MPI_COMM_WORLD, &found);
  expected = MPI_COMM_WORLD;
  tell_calls("by the old names", MPI_Send(&byte, 1, MPI_CHAR, size + 5, 0, MPI_COMM_WORLD));
  tell("kept: %d", found == handler);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&found);
  MPI_Errhandler_free(&handler);
}

void error_handlers(void) {
  MPI_Errhandler handler, forgiving, many[3];
  MPI_Comm_create_errhandler(note, &handler);
  MPI_Comm_create_errhandler(note_and_forgive, &forgiving);
  on_world(handler);
  on_world(forgiving);
  for (int i = 0; i < 3; ++i) MPI_Comm_create_errhandler(note, &many[i]);
  tell("handlers of one function: %d", many[0] != many[1] && many[1] != many[2]);
  for (int i = 0; i < 3; ++i) MPI_Errhandler_free(&many[i]);
  MPI_Errhandler_free(&handler);
  MPI_Errhandler_free(&forgiving);
  codes();
  old_names();
}
