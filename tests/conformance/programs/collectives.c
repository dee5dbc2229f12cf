/* Blocking collectives on the world: who roots, who comes first, in which order is combined. */
#include "conformance.h"

/* a then b: associative, not commutative; the order of the ranks shows. Pairs (p, q): x -> p x + q,
 * modulo a prime. */
enum { prime = 9973 };

static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  const int* const a = in;
  int* const b = inout;
  for (int i = 0; i + 1 < *count; i += 2) {
    const int p = b[i] * a[i] % prime, q = (b[i] * a[i + 1] + b[i + 1]) % prime;
    b[i] = p;
    b[i + 1] = q;
  }
}

static void rooted(int root) {
  int* row = malloc(3 * sizeof(int) * (size_t)size);
  int *counts = row + size, *places = row + 2 * size;
  int mine = 3 * rank + root, all = 0;
  for (int i = 0; i < size; ++i) {
    counts[i] = 1;
    places[i] = size - 1 - i;
    row[i] = 50 * root + i;
  }
  int number = rank == root ? 77 + root : -1;
  MPI_Bcast(&number, 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Scatter(row, 1, MPI_INT, &mine, 1, MPI_INT, root, MPI_COMM_WORLD);
  tell("root %d: bcast %d, scatter %d", root, number, mine);
  MPI_Scatterv(row, counts, places, MPI_INT, &mine, 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
  mine = mine * 2 + rank;
  MPI_Gather(&mine, 1, MPI_INT, row, 1, MPI_INT, root, MPI_COMM_WORLD);
  if (rank == root) tell("root %d: gather %d .. %d, max %d", root, row[0], row[size - 1], all);
  MPI_Gatherv(&mine, 1, MPI_INT, row, counts, places, MPI_INT, root, MPI_COMM_WORLD);
  if (rank == root) tell("root %d: gatherv %d .. %d", root, row[0], row[size - 1]);
  free(row);
}

static void all_to_all(void) {
  int* out = malloc(4 * sizeof(int) * (size_t)size);
  int *in = out + size, *counts = out + 2 * size, *places = out + 3 * size;
  int* bytes = malloc(sizeof(int) * (size_t)size);
  MPI_Datatype* types = malloc(sizeof *types * (size_t)size);
  for (int i = 0; i < size; ++i) {
    out[i] = 100 * rank + i;
    counts[i] = 1;
    places[i] = size - 1 - i;
    bytes[i] = (int)sizeof(int) * places[i];
    types[i] = MPI_INT;
  }
  MPI_Allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  tell("allgather: %d %d .. %d", in[0], in[1], in[size - 1]);
  MPI_Allgatherv(&rank, 1, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  tell("allgatherv: %d %d .. %d", in[0], in[1], in[size - 1]);
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  tell("alltoall: %d %d .. %d", in[0], in[1], in[size - 1]);
  MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  tell("alltoallv: %d %d .. %d", in[0], in[1], in[size - 1]);
  MPI_Alltoallw(out, counts, bytes, types, in, counts, bytes, types, MPI_COMM_WORLD);
  tell("alltoallw: %d %d .. %d", in[0], in[1], in[size - 1]);
  free(types);
  free(bytes);
  free(out);
}

static void reductions(void) {
  int pair[2] = {rank + 2, 3 * rank + 1}, all[2] = {0, 0}, before[2] = {1, 0};
  int* row = malloc(2 * sizeof(int) * (size_t)size);
  int* counts = row + size;
  double sum = 0, part = 1.0 / (rank + 3);
  struct {
    int value, place;
  } mine = {(rank * 7) % size, rank}, best;
  MPI_Op op;
  MPI_Datatype pairs;
  MPI_Type_contiguous(2, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  MPI_Op_create(compose, 0, &op);
  MPI_Allreduce(pair, all, 2, MPI_INT, op, MPI_COMM_WORLD);
  tell("composed: %d %d", all[0], all[1]);
  MPI_Reduce(pair, all, 2, MPI_INT, op, size - 1, MPI_COMM_WORLD);
  if (rank == size - 1) tell("composed at the last: %d %d", all[0], all[1]);
  MPI_Scan(pair, all, 2, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Exscan(pair, before, 2, MPI_INT, op, MPI_COMM_WORLD);
  tell("scan %d %d, exscan %d %d", all[0], all[1], before[0], before[1]);
  for (int i = 0; i < size; ++i) {
    row[i] = rank * (i + 1);
    counts[i] = 1;
  }
  MPI_Reduce_scatter_block(row, &all[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter(row, &all[1], counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &best, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  tell("reduce_scatter %d %d, maxloc %d at %d, sum %.9f", all[0], all[1], best.value, best.place,
       sum);
  MPI_Reduce_local(pair, all, 2, MPI_INT, MPI_SUM);
  MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  tell("in place: %d %d", all[0], all[1]);
  MPI_Op_free(&op);
  MPI_Type_free(&pairs);
  free(row);
}

void collectives(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int root = 0; root < size; root += size / 2) rooted(root);
  all_to_all();
  reductions();
}
