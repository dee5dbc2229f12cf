/* Everything a program can ask of MPI_COMM_WORLD must fit together, whatever its order. Prints one
 * line from rank 0 when all held. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int rank, size;
static int handler_calls;

static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  ++handler_calls;
}

static void identity(void) {
  int relation, flag;
  MPI_Comm copy;
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &relation);
  CHECK(relation == MPI_IDENT);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &relation);
  CHECK(relation == MPI_CONGRUENT);
  MPI_Comm_free(&copy);
  MPI_Comm_test_inter(MPI_COMM_WORLD, &flag);
  CHECK(!flag);
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  CHECK(strcmp(name, "MPI_COMM_WORLD") == 0);
}

static void attributes(void) {
  int* tag_bound = NULL;
  int flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_bound, &flag);
  CHECK(flag && *tag_bound >= 32767);
  int* universe = NULL;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &universe, &flag);
  int keyval, value = 7, *found = NULL;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &value);
  MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &found, &flag);
  CHECK(flag && found == &value);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  found = NULL;
  MPI_Comm_get_attr(copy, keyval, &found, &flag);
  CHECK(flag && found == &value);
  MPI_Comm_free(&copy);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
  MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &found, &flag);
  CHECK(!flag);
  MPI_Comm_free_keyval(&keyval);
}

static void error_handlers(void) {
  MPI_Errhandler handler, fatal, current;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &fatal);
  CHECK(fatal == MPI_ERRORS_ARE_FATAL);
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &current);
  CHECK(current == handler);
  char byte = 0;
  MPI_Send(&byte, 1, MPI_CHAR, size + 5, 0, MPI_COMM_WORLD); /* no such rank */
  CHECK(handler_calls == 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Send(&byte, 1, MPI_CHAR, size + 5, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
  CHECK(MPI_Send(&byte, -1, MPI_CHAR, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
  CHECK(MPI_Type_size(MPI_DATATYPE_NULL, &size) != MPI_SUCCESS);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, fatal);
  MPI_Errhandler_free(&handler);
}

static void groups(void) {
  MPI_Group world, reversed;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int group_rank;
  MPI_Group_rank(world, &group_rank);
  CHECK(group_rank == rank);
  int* ranks = malloc(sizeof(int) * (size_t)size);
  for (int i = 0; i < size; ++i) ranks[i] = size - 1 - i;
  MPI_Group_incl(world, size, ranks, &reversed);
  MPI_Comm comm;
  MPI_Comm_create(MPI_COMM_WORLD, reversed, &comm);
  int r;
  MPI_Comm_rank(comm, &r);
  CHECK(r == size - 1 - rank);
  int sum = 0, mine = rank;
  MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, size - 1, comm); /* that is world rank 0 */
  if (rank == 0) CHECK(sum == size * (size - 1) / 2);
  MPI_Comm_free(&comm);
  MPI_Comm_create_group(MPI_COMM_WORLD, reversed, 3, &comm);
  MPI_Comm_rank(comm, &r);
  CHECK(r == size - 1 - rank);
  MPI_Comm_free(&comm);
  MPI_Group_free(&reversed);
  MPI_Group_free(&world);
  free(ranks);
}

static void topologies(void) {
  int dims[1] = {size}, periods[1] = {1}, source, dest, coords[1];
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
  MPI_Cart_shift(cart, 0, 1, &source, &dest);
  MPI_Cart_coords(cart, rank, 1, coords);
  CHECK(dest == (rank + 1) % size && coords[0] == rank);
  int got = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, dest, 0, &got, 1, MPI_INT, source, 0, cart, MPI_STATUS_IGNORE);
  CHECK(got == source);
  MPI_Comm_free(&cart);
}

static void intercommunicators(void) {
  if (size < 2) return;
  MPI_Comm half, inter, merged;
  const int low = rank < size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, low, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? size / 2 : 0, 4, &inter);
  int remote, half_rank;
  MPI_Comm_remote_size(inter, &remote);
  CHECK(remote == (low ? size - size / 2 : size / 2));
  MPI_Comm_rank(half, &half_rank);
  CHECK(half_rank == (low ? rank : rank - size / 2));
  MPI_Intercomm_merge(inter, !low, &merged);
  int merged_rank;
  MPI_Comm_rank(merged, &merged_rank);
  CHECK(merged_rank == rank);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

static void windows(void) {
  if (size < 2) return; /* Open MPI 4.1 has no window for one rank alone */
  int cell = -1;
  MPI_Win win;
  MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK(cell == (rank + size - 1) % size);
  MPI_Win_free(&win);
}

static void files(void) {
  MPI_File file;
  CHECK(MPI_File_open(MPI_COMM_WORLD, "world-file", MPI_MODE_CREATE | MPI_MODE_RDWR |
                      MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file) == MPI_SUCCESS);
  const MPI_Offset at = (MPI_Offset)sizeof(int) * rank;
  MPI_File_write_at_all(file, at, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  int read = -1;
  MPI_File_read_at_all(file, (MPI_Offset)sizeof(int) * ((rank + 1) % size), &read, 1, MPI_INT,
                       MPI_STATUS_IGNORE);
  CHECK(read == (rank + 1) % size);
  MPI_File_close(&file);
}

static int self_deleted(MPI_Comm comm, int keyval, void* value, void* extra) {
  (void)comm;
  (void)keyval;
  (void)value;
  (void)extra;
  int r;
  MPI_Comm_rank(MPI_COMM_WORLD, &r); /* still the program's world while MPI_Finalize begins */
  if (r != rank) fprintf(stderr, "rank %d became %d in MPI_Finalize\n", rank, r);
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  identity();
  attributes();
  error_handlers();
  groups();
  topologies();
  intercommunicators();
  windows();
  files();
  int keyval;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, self_deleted, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("the world holds together on %d ranks\n", size);
  MPI_Finalize();
  return 0;
}
