/* Reordering in the middle of a run: heat in a ring of two layers. Ranks r and r + n/2 own the two
 * layers of one stretch of the ring and exchange it whole in every step; along the ring only the ends
 * of a stretch are exchanged. A launcher that fills host after host puts the layers on different
 * hosts: after some steps the program lets Kith reorder its ranks, moves its field along, and goes on.
 *
 * checkpoint [CELLS STEPS AT]: cells of a rank's layer, steps, and the one before which ranks are
 * reordered (default: a tenth of them; 0: never). The checksum is the same in any order. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  MPI_Comm comm;
  int rank, ranks;
  int cells;
  double *field, *next, *other; /* this layer now and in the next step, the other layer */
} Stretch;

static int number_argument(int argc, char** argv, int position, int otherwise) {
  return argc > position ? atoi(argv[position]) : otherwise;
}

static void take_comm(Stretch* stretch, MPI_Comm comm) {
  stretch->comm = comm;
  MPI_Comm_rank(comm, &stretch->rank);
  MPI_Comm_size(comm, &stretch->ranks);
}

/* --- a step ---------------------------------------------------------------------------------------- */

static int along(const Stretch* stretch, int by) {
  const int length = stretch->ranks / 2, layer = stretch->rank / length;
  return layer * length + (stretch->rank + by + length) % length;
}

static void step(Stretch* stretch) {
  const int n = stretch->cells, across = (stretch->rank + stretch->ranks / 2) % stretch->ranks;
  const int left = along(stretch, -1), right = along(stretch, 1);
  double *u = stretch->field, from_left, from_right;
  MPI_Sendrecv(u, n, MPI_DOUBLE, across, 0, stretch->other, n, MPI_DOUBLE, across, 0, stretch->comm,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[n - 1], 1, MPI_DOUBLE, right, 1, &from_left, 1, MPI_DOUBLE, left, 1,
               stretch->comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[0], 1, MPI_DOUBLE, left, 2, &from_right, 1, MPI_DOUBLE, right, 2, stretch->comm,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < n; ++i) {
    const double before = i > 0 ? u[i - 1] : from_left, after = i < n - 1 ? u[i + 1] : from_right;
    stretch->next[i] = 0.5 * u[i] + 0.125 * (before + after) + 0.25 * stretch->other[i];
  }
  stretch->field = stretch->next;
  stretch->next = u;
}

/* --- the checkpoint -------------------------------------------------------------------------------- */

/* Afterwards this process is another rank, with the field of that rank. */
static void reorder(Stretch* stretch, int done, int steps) {
  kith_options options = KITH_OPTIONS_INIT;
  options.state_bytes = stretch->cells * (double)sizeof(double);
  options.remaining = (double)(steps - done) / done;
  MPI_Comm better;
  if (kith_reorder(stretch->comm, &options, &better) != MPI_SUCCESS) return; /* go on as before */

  kith_report report = {.size = sizeof report};
  kith_decision(better, &report);
  if (stretch->rank == 0) {
    printf("step %d: %s: %s\n", done, report.reordered ? "reordered" : "not reordered",
           report.reason);
    printf("moving %d ranks costs %.6g, the rest of the run saves %.6g (bytes x hops)\n",
           report.moved_ranks, report.moving_cost, report.saving);
  }
  if (kith_redistribute(stretch->comm, better, stretch->field, stretch->cells, MPI_DOUBLE) !=
      MPI_SUCCESS) {
    fprintf(stderr, "checkpoint: the field could not be moved\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Comm_free(&stretch->comm);
  take_comm(stretch, better); /* all that depends on the rank is known anew: here, nothing else */
}

/* Added up in the order of ranks: the same whoever holds them. */
static double checksum(const Stretch* stretch) {
  double mine = 0, sum = 0;
  for (int i = 0; i < stretch->cells; ++i) mine += (i % 7 + 1) * stretch->field[i];
  double* all = malloc(sizeof(double) * (size_t)stretch->ranks);
  MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, stretch->comm);
  for (int r = 0; stretch->rank == 0 && r < stretch->ranks; ++r) sum += (r + 1) * all[r];
  free(all);
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Stretch stretch;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  take_comm(&stretch, comm);
  stretch.cells = number_argument(argc, argv, 1, 10000);
  const int steps = number_argument(argc, argv, 2, 200);
  const int at = number_argument(argc, argv, 3, steps / 10);
  if (stretch.ranks % 2 != 0 || stretch.cells < 1) {
    if (stretch.rank == 0) fprintf(stderr, "checkpoint: expected an even number of ranks, and cells\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const size_t bytes = sizeof(double) * (size_t)stretch.cells;
  stretch.field = malloc(bytes);
  stretch.next = malloc(bytes);
  stretch.other = malloc(bytes);
  for (int i = 0; i < stretch.cells; ++i) stretch.field[i] = (stretch.rank * 31 + i) % 101;

  for (int s = 0; s < steps; ++s) {
    if (s > 0 && s == at) reorder(&stretch, s, steps);
    step(&stretch);
  }

  const double sum = checksum(&stretch);
  if (stretch.rank == 0) printf("checksum %.17g\n", sum);
  free(stretch.field);
  free(stretch.next);
  free(stretch.other);
  MPI_Comm_free(&stretch.comm);
  MPI_Finalize();
  return 0;
}
