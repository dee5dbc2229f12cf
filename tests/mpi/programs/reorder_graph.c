/* kith_reorder_graph: pairs (i, i + n/2) are declared, on a machine given as two hosts of n/2 slots.
 * Weights in any unit, lists of every kind; what is wrong on one rank is refused on all. */
#include <kith/kith.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"

static int rank, size;
static kith_options options = KITH_OPTIONS_INIT;

/* The first of each pair declares it with `weight`; NULL: no weights at all. Then every pair shares a
 * host, and costs are in the unit of the weights: 4 hops before, 2 after. */
static void pairs(const double* weight) {
  const int peers[4] = {(rank + size / 2) % size, MPI_PROC_NULL, rank, (rank + size / 2) % size};
  const double share = weight != NULL ? *weight / 2 : 0, weights[4] = {share, 7, 8, share};
  const int degree = rank >= size / 2 ? 0 : weight != NULL ? 4 : 1;
  MPI_Comm made = MPI_COMM_NULL;
  CHECK(kith_reorder_graph(MPI_COMM_WORLD, degree, degree > 0 ? peers : NULL,
                           degree > 0 && weight != NULL ? weights : NULL, &options,
                           &made) == MPI_SUCCESS);
  kith_report report = {.size = sizeof report};
  CHECK(kith_decision(made, &report) == MPI_SUCCESS);
  CHECK(report.reordered);
  const double expected = (size / 2) * (weight != NULL ? *weight : 1);
  CHECK(fabs(report.cost_before / (4 * expected) - 1) < 1e-6);
  CHECK(fabs(report.cost_after / (2 * expected) - 1) < 1e-6);
  int* place = malloc(sizeof(int) * (size_t)size);
  MPI_Allgather(&rank, 1, MPI_INT, place, 1, MPI_INT, made);
  for (int r = 0; r < size / 2; ++r) {
    CHECK(place[r] / (size / 2) == place[r + size / 2] / (size / 2));
  }
  CHECK(place[0] == 0);
  free(place);
  MPI_Comm_free(&made);
}

/* What kith_reorder_graph() says when rank 1 alone declares this. */
static int code_of(int degree, const int peers[], const double weights[]) {
  const int fine = (rank + 1) % size;
  const double one = 1;
  MPI_Comm made = MPI_COMM_NULL;
  const int code = rank == 1
                       ? kith_reorder_graph(MPI_COMM_WORLD, degree, peers, weights, &options, &made)
                       : kith_reorder_graph(MPI_COMM_WORLD, 1, &fine, &one, &options, &made);
  CHECK(code == MPI_SUCCESS || made == MPI_COMM_NULL);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  int least, greatest;
  MPI_Allreduce(&code, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&code, &greatest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(least == greatest);
  return code;
}

static void wrong_arguments(void) {
  const int peer = 0, below = -77, beyond = size;
  const double one = 1, negative = -1, not_a_number = NAN, infinite = INFINITY;
  MPI_Comm made = MPI_COMM_NULL;
  CHECK(kith_reorder_graph(MPI_COMM_NULL, 0, NULL, NULL, NULL, &made) == MPI_ERR_COMM);
  CHECK(code_of(1, &beyond, &one) == MPI_ERR_RANK);
  CHECK(code_of(1, &below, &one) == MPI_ERR_RANK);
  CHECK(code_of(-1, &peer, &one) == MPI_ERR_ARG);
  CHECK(code_of(1, NULL, &one) == MPI_ERR_ARG);
  CHECK(code_of(1, &peer, &negative) == MPI_ERR_ARG);
  CHECK(code_of(1, &peer, &not_a_number) == MPI_ERR_ARG);
  CHECK(code_of(1, &peer, &infinite) == MPI_ERR_ARG);
  CHECK(code_of(1, &peer, &one) == MPI_SUCCESS);
  CHECK(kith_reorder_graph(MPI_COMM_WORLD, 0, NULL, NULL, NULL, rank == 1 ? NULL : &made) ==
        MPI_ERR_ARG);
  /* No edge at all is a graph too. */
  CHECK(kith_reorder_graph(MPI_COMM_WORLD, 0, NULL, NULL, NULL, &made) == MPI_SUCCESS);
  int relation;
  MPI_Comm_compare(MPI_COMM_WORLD, made, &relation);
  CHECK(relation == MPI_CONGRUENT);
  MPI_Comm_free(&made);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(size % 4 == 0);
  char topology[64];
  snprintf(topology, sizeof topology, "tree:2x%d", size / 2);
  options.topology = topology;
  wrong_arguments();
  pairs(NULL);
  static const double weights[] = {6, 1e12, 0.3, 1e-30, 3e50, 1e-200};
  for (size_t i = 0; i < sizeof weights / sizeof *weights; ++i) pairs(&weights[i]);
  if (rank == 0) printf("declared pairs on %d ranks\n", size);
  MPI_Finalize();
  return 0;
}
