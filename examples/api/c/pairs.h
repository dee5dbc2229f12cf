/* What the examples do beside calling Kith: ranks r and r + n/2 exchange numbers, and rank 0 shows
 * who runs where. */
#ifndef PAIRS_H
#define PAIRS_H

#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>

enum { pairs_numbers = 1000 };

/* An exchange with the partner in `comm`; the sum of all that was received anywhere. */
static double pairs_exchange(MPI_Comm comm) {
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int partner = (rank + ranks / 2) % ranks;
  double mine[pairs_numbers], theirs[pairs_numbers], sum = 0, total;
  for (int i = 0; i < pairs_numbers; ++i) mine[i] = rank + i;
  MPI_Sendrecv(mine, pairs_numbers, MPI_DOUBLE, partner, 0, theirs, pairs_numbers, MPI_DOUBLE,
               partner, 0, comm, MPI_STATUS_IGNORE);
  for (int i = 0; i < pairs_numbers; ++i) sum += theirs[i];
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, comm);
  return total;
}

/* Rank 0 of `better` says what was decided about it, and which process each of its ranks is. */
static void pairs_show(MPI_Comm better) {
  int rank, ranks, process;
  MPI_Comm_rank(better, &rank);
  MPI_Comm_size(better, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  int* processes = malloc(sizeof(int) * (size_t)ranks);
  MPI_Gather(&process, 1, MPI_INT, processes, 1, MPI_INT, 0, better);

  kith_report report = {.size = sizeof report};
  if (rank == 0 && kith_decision(better, &report) == MPI_SUCCESS) {
    printf("%s: %s\n", report.reordered ? "reordered" : "not reordered", report.reason);
    printf("cost %.0f -> %.0f, %d ranks move\n", report.cost_before, report.cost_after,
           report.moved_ranks);
    printf("processes of ranks:");
    for (int r = 0; r < ranks; ++r) printf(" %d", processes[r]);
    printf("\n");
  }
  free(processes);
}

#endif
