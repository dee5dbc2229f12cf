/* kith_reorder in the middle of a run: pairs (i, i + n/2) talk, on a machine given as two hosts of
 * n/2 slots, so half of each pair should move. Also what kith.h promises about wrong arguments, and
 * that the application's own child handling is not disturbed. */
#include <kith/kith.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static volatile sig_atomic_t child_signals;
static void on_child(int signal_number) {
  (void)signal_number;
  ++child_signals;
}

static void talk(MPI_Comm comm, int partner, int bytes) {
  char* out = calloc((size_t)bytes, 2);
  MPI_Sendrecv(out, bytes, MPI_BYTE, partner, 0, out + bytes, bytes, MPI_BYTE, partner, 0, comm,
               MPI_STATUS_IGNORE);
  free(out);
}

static void wrong_arguments(void) {
  MPI_Comm made = MPI_COMM_NULL;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int odd = rank == 1; /* one rank alone is wrong */
  CHECK(kith_reorder(MPI_COMM_NULL, NULL, &made) == MPI_ERR_COMM);
  CHECK(kith_reorder(MPI_COMM_WORLD, NULL, NULL) == MPI_ERR_ARG);
  kith_options options = KITH_OPTIONS_INIT;
  options.size = 3;
  CHECK(kith_reorder(MPI_COMM_WORLD, &options, &made) == MPI_ERR_ARG);
  CHECK(kith_reorder(MPI_COMM_WORLD, odd ? &options : NULL, &made) == MPI_ERR_ARG);
  CHECK(kith_reorder(MPI_COMM_WORLD, NULL, odd ? NULL : &made) == MPI_ERR_ARG);
  kith_report report = {.size = sizeof report};
  CHECK(kith_decision(MPI_COMM_SELF, &report) == MPI_ERR_COMM);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, NULL) == MPI_ERR_ARG);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, odd ? NULL : "name") == MPI_ERR_ARG);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, odd ? "name" : "") == MPI_ERR_ARG);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  CHECK(kith_checkpoint(half, "half") == MPI_ERR_COMM);
  MPI_Comm_free(&half);
}

/* A program that was compiled with an earlier kith.h: nothing is written behind its struct. */
static void check_older_report(MPI_Comm comm, const kith_report* report) {
  kith_report older;
  memset(&older, 0x55, sizeof older);
  older.size = offsetof(kith_report, reason_code);
  const int before = older.reason_code;
  CHECK(kith_decision(comm, &older) == MPI_SUCCESS);
  CHECK(older.saving == report->saving && older.reason_code == before);
  older.size = sizeof older + 8;
  CHECK(kith_decision(comm, &older) == MPI_ERR_ARG);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(size % 4 == 0); /* whole pairs fit a host */
  signal(SIGCHLD, on_child);
  wrong_arguments();

  talk(MPI_COMM_WORLD, (rank + size / 2) % size, 1000);
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "pairs") == MPI_SUCCESS);

  char topology[64];
  snprintf(topology, sizeof topology, "tree:2x%d", size / 2);
  kith_options options = KITH_OPTIONS_INIT;
  options.topology = topology;
  MPI_Comm better = MPI_COMM_NULL;
  CHECK(kith_reorder(MPI_COMM_WORLD, &options, &better) == MPI_SUCCESS);
  kith_report report = {.size = sizeof report};
  CHECK(kith_decision(better, &report) == MPI_SUCCESS);
  int relation, better_rank, better_size;
  MPI_Comm_compare(MPI_COMM_WORLD, better, &relation);
  MPI_Comm_rank(better, &better_rank);
  MPI_Comm_size(better, &better_size);
  CHECK(better_size == size);
  CHECK(report.reordered == 1);
  CHECK(relation == MPI_SIMILAR);
  CHECK(report.cost_after < report.cost_before);
  CHECK(strlen(report.reason) > 0 && strlen(report.algorithm) > 0);
  CHECK(report.reason_code == KITH_REASON_REORDERED);
  check_older_report(better, &report);
  if (rank == 0) CHECK(better_rank == 0); /* rank 0 keeps its process unless told otherwise */

  /* Pairs of the new communicator now share a host: new rank r runs on the process whose world rank
   * tells its slot. */
  int* place = malloc(sizeof(int) * (size_t)size);
  MPI_Allgather(&rank, 1, MPI_INT, place, 1, MPI_INT, better);
  for (int r = 0; r < size / 2; ++r) {
    CHECK(place[r] / (size / 2) == place[r + size / 2] / (size / 2));
  }
  free(place);
  talk(better, (better_rank + size / 2) % size, 500);

  /* Of the options those of rank 0 count; nothing but the pairs has been sent until the checkpoint. */
  CHECK(kith_checkpoint(MPI_COMM_WORLD, "more pairs") == MPI_SUCCESS);
  for (int since = 0; since < 2; ++since) {
    MPI_Comm again = MPI_COMM_NULL;
    options.since_checkpoint = rank == 0 ? since : !since;
    CHECK(kith_reorder(MPI_COMM_WORLD, &options, &again) == MPI_SUCCESS);
    CHECK(kith_decision(again, &report) == MPI_SUCCESS);
    CHECK(report.reordered == !since);
    MPI_Comm_free(&again);
  }
  options.since_checkpoint = 0;

  /* Where nothing can be gained the order stays, and the reason is said. */
  MPI_Comm same = MPI_COMM_NULL;
  options.min_gain = 1.0;
  CHECK(kith_reorder(MPI_COMM_WORLD, &options, &same) == MPI_SUCCESS);
  CHECK(kith_decision(same, &report) == MPI_SUCCESS);
  MPI_Comm_compare(MPI_COMM_WORLD, same, &relation);
  CHECK(!report.reordered && relation == MPI_CONGRUENT && strlen(report.reason) > 0);
  CHECK(report.reason_code == KITH_REASON_SMALL_GAIN);

  /* A machine that does not fit is no error of the call. */
  MPI_Comm unfit = MPI_COMM_NULL;
  options.topology = "tree:2";
  CHECK(kith_reorder(MPI_COMM_WORLD, &options, &unfit) == MPI_SUCCESS);
  CHECK(kith_decision(unfit, &report) == MPI_SUCCESS);
  CHECK(!report.reordered && strlen(report.reason) > 0);
  CHECK(report.reason_code == KITH_REASON_FAILED);

  /* One process alone: there is nothing to look for. */
  MPI_Comm alone = MPI_COMM_NULL;
  kith_report of_one = {.size = sizeof of_one};
  CHECK(kith_reorder(MPI_COMM_SELF, NULL, &alone) == MPI_SUCCESS);
  CHECK(kith_decision(alone, &of_one) == MPI_SUCCESS);
  CHECK(of_one.reason_code == KITH_REASON_NOTHING_TO_GAIN);
  MPI_Comm_free(&alone);
  if (rank == 0) printf("reason: %s\n", report.reason);

  MPI_Comm_free(&unfit);
  MPI_Comm_free(&same);
  MPI_Comm_free(&better);
  CHECK(child_signals == 0);
  if (rank == 0) printf("reordered on %d ranks\n", size);
  MPI_Finalize();
  return 0;
}
