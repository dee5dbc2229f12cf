/* conformance AREA...: one program for all areas; without words all that go together. */
#include "conformance.h"

#include <stdarg.h>

int rank, size;

static char* lines;
static size_t used, room;

void tell(const char* format, ...) {
  va_list arguments;
  if (room - used < 1024) {
    room = 2 * room + 4096;
    lines = realloc(lines, room);
  }
  used += (size_t)snprintf(lines + used, 16, "%d: ", rank);
  va_start(arguments, format);
  used += (size_t)vsnprintf(lines + used, 900, format, arguments);
  va_end(arguments);
  lines[used++] = '\n';
}

int right(int steps) {
  return (rank + steps) % size;
}

int left(int steps) {
  return (rank + size - steps % size) % size;
}

void tell_communicator(const char* what, MPI_Comm comm) {
  int members, place, sum = 0, first = -1;
  MPI_Comm_size(comm, &members);
  MPI_Comm_rank(comm, &place);
  const int weighed = (place + 1) * rank;
  MPI_Allreduce(&weighed, &sum, 1, MPI_INT, MPI_SUM, comm);
  if (place == 0) first = rank;
  MPI_Bcast(&first, 1, MPI_INT, 0, comm);
  tell("%s: %d of %d, first is %d, sum %d", what, place, members, first, sum);
}

const char* class_of(int code) {
  static const struct {
    int class;
    const char* name;
  } known[] = {{MPI_SUCCESS, "MPI_SUCCESS"},
               {MPI_ERR_BUFFER, "MPI_ERR_BUFFER"},
               {MPI_ERR_COUNT, "MPI_ERR_COUNT"},
               {MPI_ERR_TYPE, "MPI_ERR_TYPE"},
               {MPI_ERR_TAG, "MPI_ERR_TAG"},
               {MPI_ERR_COMM, "MPI_ERR_COMM"},
               {MPI_ERR_RANK, "MPI_ERR_RANK"},
               {MPI_ERR_ROOT, "MPI_ERR_ROOT"},
               {MPI_ERR_GROUP, "MPI_ERR_GROUP"},
               {MPI_ERR_OP, "MPI_ERR_OP"},
               {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE"},
               {MPI_ERR_ARG, "MPI_ERR_ARG"},
               {MPI_ERR_NO_SUCH_FILE, "MPI_ERR_NO_SUCH_FILE"},
               {MPI_ERR_WIN, "MPI_ERR_WIN"}};
  int class = -1;
  MPI_Error_class(code, &class);
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    if (known[i].class == class) return known[i].name;
  }
  return "another class";
}

/* Rank by rank, in one piece. */
static void print_lines(const char* area) {
  const int mine = (int)used;
  int *sizes = NULL, *places = NULL, all = 0;
  char* text = NULL;
  if (rank == 0) {
    sizes = malloc(2 * sizeof(int) * (size_t)size);
    places = sizes + size;
  }
  MPI_Gather(&mine, 1, MPI_INT, sizes, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i) {
    places[i] = all;
    all += sizes[i];
  }
  if (rank == 0) text = malloc((size_t)all + 1);
  MPI_Gatherv(lines, mine, MPI_CHAR, text, sizes, places, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    text[all] = '\0';
    printf("== %s\n%s", area, text);
    fflush(stdout);
  }
  free(text);
  free(sizes);
  used = 0;
}

static const struct {
  const char* name;
  void (*run)(void);
  int ends;  /* the program */
  int apart; /* only when named: Open MPI cannot always start processes after all the others */
} areas[] = {
    {"point_to_point", point_to_point, 0, 0},
    {"completion", completion, 0, 0},
    {"collectives", collectives, 0, 0},
    {"nonblocking_collectives", nonblocking_collectives, 0, 0},
    {"persistent_collectives", persistent_collectives, 0, 0},
    {"neighbourhood", neighbourhood, 0, 0},
    {"communicators", communicators, 0, 0},
    {"groups", groups, 0, 0},
    {"intercommunicators", intercommunicators, 0, 0},
    {"attributes", attributes, 0, 0},
    {"error_handlers", error_handlers, 0, 0},
    {"names_and_info", names_and_info, 0, 0},
    {"comparison", comparison, 0, 0},
    {"handles", handles, 0, 0},
    {"topologies", topologies, 0, 0},
    {"windows", windows, 0, 0},
    {"files", files, 0, 0},
    {"processes", processes, 0, 1},
    {"datatypes", datatypes, 0, 0},
    {"environment", environment, 0, 0},
    {"tools", tools, 0, 0},
    {"finalize", finalize, 1, 0},
    {"end_by_abort", end_by_abort, 1, 0},
};
enum { area_count = sizeof areas / sizeof *areas };

static int is_wanted(int area, int argc, char** argv) {
  if (argc == 1) return !areas[area].ends && !areas[area].apart;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], areas[area].name) == 0) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  MPI_Comm parent;
  int provided;
  if (argc > 1 && strcmp(argv[1], "finalize") == 0) {
    MPI_Init(&argc, &argv);
  } else {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    be_started(parent);
    MPI_Finalize();
    return 0;
  }
  for (int area = 0; area < area_count; ++area) {
    if (!is_wanted(area, argc, argv)) continue;
    areas[area].run();
    if (areas[area].ends) return 0;
    print_lines(areas[area].name);
  }
  free(lines);
  MPI_Finalize();
  return 0;
}
