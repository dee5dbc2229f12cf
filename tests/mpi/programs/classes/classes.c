/* classes FAMILY [even|odd]: the sections of a family, a phase of the trace for each; `even` and
 * `odd` leave the others out, but keep their phases. The first phase, "setup", makes communicators.
 */
#include <kith/kith.h>

#include "forms.h"

int rank, left, right, place;
MPI_Comm pair, across, backwards, ring, graph;
int out[ranks * ints], in[ranks * ints];
const int counts[ranks] = {ints, ints, ints, ints};
const int int_at[ranks] = {0, ints, 2 * ints, 3 * ints};
const int byte_at[ranks] = {0, unit, 2 * unit, 3 * unit};
const MPI_Aint far_at[ranks] = {0, unit, 2 * unit, 3 * unit};
MPI_Datatype types[ranks];
MPI_Win window, backwards_window, allocated_window;

static MPI_Win make_window(MPI_Comm comm, int* memory) {
  MPI_Win made;
  MPI_Win_create(memory, unit, sizeof(int), MPI_INFO_NULL, comm, &made);
  return made;
}

static void set_up_windows(void) {
  static int memory[2][ints];
  int* given;
  window = make_window(MPI_COMM_WORLD, memory[0]);
  backwards_window = make_window(backwards, memory[1]);
  MPI_Win_allocate(unit, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &given, &allocated_window);
}

static void set_up(void) {
  int size, dims = ranks, periodic = 1, one = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(size == ranks);
  right = (rank + 1) % ranks;
  left = (rank + ranks - 1) % ranks;
  for (int i = 0; i < ranks * ints; ++i) out[i] = rank;
  for (int i = 0; i < ranks; ++i) types[i] = MPI_INT;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  MPI_Comm_rank(pair, &place);
  MPI_Intercomm_create(MPI_COMM_SELF, 0, pair, 1 - place, 1, &across);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periodic, 0, &ring);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, &one, 1, &right, &one, MPI_INFO_NULL, 0,
                                 &graph);
}

static const Section* family(const char* name) {
  if (strcmp(name, "p2p") == 0) return p2p_sections;
  if (strcmp(name, "coll") == 0) return coll_sections;
  if (strcmp(name, "inter") == 0) return inter_sections;
  if (strcmp(name, "neighbour") == 0) return neighbour_sections;
  if (strcmp(name, "rma") == 0) return rma_sections;
  return NULL;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Section* const sections = argc > 1 ? family(argv[1]) : NULL;
  CHECK(sections != NULL);
  set_up();
  set_up_windows();
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "setup") == MPI_SUCCESS);
  const char* const only = argc > 2 ? argv[2] : "";
  for (int i = 0; sections[i].name != NULL; ++i) {
    if (strcmp(only, i % 2 == 0 ? "odd" : "even") != 0) sections[i].run();
    CHECK(kith_checkpoint(MPI_COMM_WORLD, sections[i].name) == MPI_SUCCESS);
  }
  MPI_Win_free(&allocated_window);
  MPI_Win_free(&backwards_window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
