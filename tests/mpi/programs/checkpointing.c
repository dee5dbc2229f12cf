/* kith_reorder in the middle of a run, with state: what moving costs against what it saves, orders of
 * orders, parts of the world, traffic since the last checkpoint, and structs of the first edition. The
 * machine is given as two hosts of n/2 slots: 2 hops inside a host, 4 between them. */
#include <kith/kith.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int rank, size;
static char topology[64];

static kith_options defaults(void) {
  kith_options options = KITH_OPTIONS_INIT;
  options.topology = topology;
  return options;
}

static void talk(MPI_Comm comm, int partner, int bytes) {
  char* out = calloc((size_t)bytes, 2);
  MPI_Sendrecv(out, bytes, MPI_BYTE, partner, 0, out + bytes, bytes, MPI_BYTE, partner, 0, comm,
               MPI_STATUS_IGNORE);
  free(out);
}

static kith_report report_of(MPI_Comm comm) {
  kith_report report = {.size = sizeof report};
  CHECK(kith_decision(comm, &report) == MPI_SUCCESS);
  return report;
}

/* Reorders the world with such options; then the data follows, and comes back. */
static kith_report with_state(double state_bytes, double remaining) {
  kith_options options = defaults();
  options.state_bytes = state_bytes;
  options.remaining = remaining;
  MPI_Comm made;
  CHECK(kith_reorder(MPI_COMM_WORLD, &options, &made) == MPI_SUCCESS);
  const kith_report report = report_of(made);
  int now, data[3] = {rank, -rank, 7}, moved;
  MPI_Comm_rank(made, &now);
  CHECK(kith_redistribute(MPI_COMM_WORLD, made, data, 3, MPI_INT) == MPI_SUCCESS);
  CHECK(data[0] == now && data[1] == -now && data[2] == 7);
  const int has_moved = now != rank;
  MPI_Allreduce(&has_moved, &moved, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(moved == (report.reordered ? report.moved_ranks : 0));
  MPI_Comm_free(&made);
  return report;
}

static int near_to(double a, double b) {
  return fabs(a - b) <= 1e-6 * fabs(b);
}

/* Every pair (i, i + n/2) has exchanged 2000 bytes: n/2 ranks move 4 hops, and half the cost goes. */
static void moving_costs(void) {
  const double before = size / 2 * 2000.0 * 4, hops = size / 2 * 4.0;
  kith_report report = with_state(0, -1);
  CHECK(report.reordered && report.moved_ranks == size / 2);
  CHECK(report.cost_before == before && report.cost_after == before / 2);
  CHECK(report.moving_cost == 0 && report.saving == before / 2);
  const double even = before / 2 / hops; /* bytes of state at which one more such run pays */
  report = with_state(0.9 * even, -1);
  CHECK(report.reordered && near_to(report.moving_cost, 0.9 * even * hops));
  CHECK(near_to(report.saving, before / 2));
  report = with_state(1.1 * even, -1);
  CHECK(!report.reordered && near_to(report.moving_cost, 1.1 * even * hops));
  CHECK(near_to(report.saving, before / 2) && strstr(report.reason, "moving") != NULL);
  report = with_state(1.1 * even, 1.25);
  CHECK(report.reordered && near_to(report.saving, 1.25 * before / 2));
  report = with_state(1, 0);
  CHECK(!report.reordered && report.saving == 0 && report.moving_cost > 0);
  CHECK(with_state(1e300, 1).reordered == 0);
  CHECK(with_state(1, 1e300).reordered == 1);
}

/* One pair talks a hundred times as much: with enough state only that one is brought together. */
static void few_moves_are_worth_it(void) {
  const int weight = rank == 1 || rank == 1 + size / 2 ? 99 * 1000 : 1;
  talk(MPI_COMM_WORLD, (rank + size / 2) % size, weight);
  const kith_report all = with_state(0, -1);
  const kith_report few = with_state(5000, 1);
  CHECK(all.reordered && all.moved_ranks == size / 2);
  CHECK(few.reordered && few.moved_ranks == 2);
  CHECK(few.saving > few.moving_cost && near_to(few.moving_cost, 5000 * 2 * 4.0));
}

static void structs_of_the_first_edition(void) {
  struct {
    size_t size;
    const char* algorithm;
    const char* topology;
    double min_gain;
    int keep_rank0;
  } options = {sizeof options, NULL, topology, -1, -1};
  struct {
    size_t size;
    int reordered;
    double cost_before, cost_after, seconds;
    char algorithm[64], reason[512];
    char after[64]; /* of somebody else */
  } report;
  MPI_Comm made;
  CHECK(kith_reorder(MPI_COMM_WORLD, (const kith_options*)&options, &made) == MPI_SUCCESS);
  memset(&report, 0x55, sizeof report);
  report.size = sizeof report - sizeof report.after;
  CHECK(kith_decision(made, (kith_report*)&report) == MPI_SUCCESS);
  CHECK(report.size == sizeof report - sizeof report.after);
  CHECK(report.reordered == 1 && report.cost_before > 0 && report.reason[0] != 0x55);
  for (size_t i = 0; i < sizeof report.after; ++i) CHECK(report.after[i] == 0x55);
  kith_report longer = {.size = sizeof longer + 8};
  CHECK(kith_decision(made, &longer) == MPI_ERR_ARG);
  MPI_Comm_free(&made);

  /* Refused on all ranks where it is wrong on one. */
  kith_options wrong = defaults();
  if (rank == 1) wrong.size += 8;
  CHECK(kith_reorder(MPI_COMM_WORLD, &wrong, &made) == MPI_ERR_ARG);
  wrong = defaults();
  if (rank == 1) wrong.state_bytes = NAN;
  CHECK(kith_reorder(MPI_COMM_WORLD, &wrong, &made) == MPI_ERR_ARG);
  CHECK(kith_reorder(MPI_COMM_WORLD, NULL, rank == 1 ? NULL : &made) == MPI_ERR_ARG);
}

/* An order of an order, again and again, and of a part; the data is always where its rank is. */
static void orders_of_orders(void) {
  MPI_Comm now = MPI_COMM_WORLD;
  int value = rank, data = rank, moves = 0;
  for (int round = 0; round < 4; ++round) {
    MPI_Comm next;
    int at;
    MPI_Comm_rank(now, &at);
    const int partner = round % 2 == 0 ? at ^ 1 : (at + size / 2) % size;
    for (int i = 0; i < 40; ++i) talk(now, partner, 1000 << (3 * round));
    CHECK(kith_checkpoint(now, round % 2 == 0 ? "near" : "far") == MPI_SUCCESS);
    kith_options options = defaults();
    options.state_bytes = sizeof data;
    CHECK(kith_reorder(now, &options, &next) == MPI_SUCCESS);
    moves += report_of(next).reordered;
    CHECK(kith_redistribute(now, next, &data, 1, MPI_INT) == MPI_SUCCESS);
    if (now != MPI_COMM_WORLD) MPI_Comm_free(&now);
    now = next;
    MPI_Comm_rank(now, &value);
    CHECK(data == value);
  }
  CHECK(moves >= 2);
  /* The upper half of the ranks, by themselves: pairs over two "hosts" of a quarter. */
  MPI_Comm half, better;
  MPI_Comm_split(now, value >= size / 2, value, &half);
  int in_half, in_better;
  MPI_Comm_rank(half, &in_half);
  const int quarter = size / 4;
  for (int i = 0; i < 100; ++i) talk(half, (in_half + quarter) % (size / 2), 1 << 20);
  char small[64];
  snprintf(small, sizeof small, "tree:2x%d", quarter);
  kith_options options = defaults();
  options.topology = small;
  options.state_bytes = 100;
  CHECK(kith_reorder(half, &options, &better) == MPI_SUCCESS);
  CHECK(report_of(better).reordered == (quarter > 1));
  data = in_half;
  CHECK(kith_redistribute(half, better, &data, 1, MPI_INT) == MPI_SUCCESS);
  MPI_Comm_rank(better, &in_better);
  CHECK(data == in_better);
  MPI_Comm_free(&better);
  MPI_Comm_free(&half);
  MPI_Comm_free(&now);
}

/* Before the checkpoint the pairs across the hosts talked, and after it neighbours do. */
static void since_checkpoint(void) {
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "across") == MPI_SUCCESS);
  talk(MPI_COMM_WORLD, rank ^ 1, 100);
  kith_options options = defaults();
  MPI_Comm by_all, by_phase;
  CHECK(kith_reorder(MPI_COMM_WORLD, &options, &by_all) == MPI_SUCCESS);
  options.since_checkpoint = 1;
  CHECK(kith_reorder(MPI_COMM_WORLD, &options, &by_phase) == MPI_SUCCESS);
  const kith_report phase = report_of(by_phase);
  CHECK(report_of(by_all).reordered == 1 && phase.reordered == 0);
  CHECK(phase.cost_before == size / 2 * 200.0 * 2);
  MPI_Comm_free(&by_phase);
  MPI_Comm_free(&by_all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(size % 4 == 0);
  snprintf(topology, sizeof topology, "tree:2x%d", size / 2);
  talk(MPI_COMM_WORLD, (rank + size / 2) % size, 1000);
  if (argc > 1 && strcmp(argv[1], "cost") == 0) {
    /* Nothing else may have been sent: what is compared are exact numbers. */
    moving_costs();
    few_moves_are_worth_it();
  } else {
    structs_of_the_first_edition();
    since_checkpoint();
    orders_of_orders();
  }
  if (rank == 0) printf("checkpoints on %d ranks\n", size);
  MPI_Finalize();
  return 0;
}
