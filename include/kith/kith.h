/* Kith's C API: reorder a communicator so that ranks which talk to each other are near each other.
 *
 * Link with libkith (CMake target kith::kith) before the MPI library, or preload libkith.so.
 *
 * All functions are collective over `comm`, may be called at any thread level between MPI_Init and
 * MPI_Finalize (by one thread per communicator at a time), never abort, and return the same MPI error
 * code on every rank. Trouble inside Kith is no error of the call: the result is then a plain
 * duplicate of `comm`, and kith_decision() tells the reason.
 */
#ifndef KITH_KITH_H
#define KITH_KITH_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How to choose a new order. Fill with KITH_OPTIONS_INIT, then change what matters. The values of
 * comm's rank 0 count. */
typedef struct kith_options {
  size_t size;           /* sizeof(kith_options) */
  const char* algorithm; /* a name from `kith algorithms`; NULL: KITH_ALGORITHM, or "auto" */
  const char* topology;  /* SPEC whose i-th allowed slot is where comm's rank i sits; NULL:
                            KITH_TOPOLOGY, whose j-th is where the launcher's rank j sits, or else
                            this job's machine */
  double min_gain;       /* least share of the present cost that must be saved, 0 .. 1; negative:
                            KITH_MIN_GAIN, or 0.02 */
  int keep_rank0;        /* 1: rank 0 keeps its process, 0: it may move; -1: KITH_KEEP_RANK0, or 1 */
} kith_options;

#define KITH_OPTIONS_INIT {sizeof(kith_options), NULL, NULL, -1.0, -1}

/* What was decided about a communicator. */
typedef struct kith_report {
  size_t size;         /* sizeof(kith_report), set by the caller */
  int reordered;       /* 1 when ranks moved, 0 when the order is the old one */
  double cost_before;  /* the objective (hop-bytes, or the cost sum of a machine with costs) of the
                          old order; 0 when it was not computed */
  double cost_after;   /* the same, predicted for the order that was proposed */
  double seconds;      /* that the decision took */
  char algorithm[64];  /* that proposed the order; empty when none ran */
  char reason[512];    /* one sentence */
} kith_report;

/* Makes `*reordered`: the processes of `comm` in an order that suits what they have sent to each
 * other so far (all traffic recorded since MPI_Init between members of `comm`, on whatever
 * communicator). The caller frees it. Data does not move: after the call, rank r of *reordered may be
 * another process than rank r of comm.
 *
 * options: may be NULL (defaults).
 * Returns MPI_SUCCESS; MPI_ERR_COMM for a null or inter-communicator, MPI_ERR_ARG for a null
 * `reordered` or an options struct of unknown size; otherwise what MPI_Comm_dup or MPI_Comm_split
 * returned. */
int kith_reorder(MPI_Comm comm, const kith_options* options, MPI_Comm* reordered);

/* Closes the current phase of the run under the name `phase` (that of rank 0 counts; at most 255
 * bytes) and opens the next. The trace then holds a matrix per phase; phases of one name are added.
 *
 * comm: must be congruent to MPI_COMM_WORLD, or have its ranks in another order.
 * Returns MPI_SUCCESS, MPI_ERR_COMM for another communicator, MPI_ERR_ARG for a null or empty name. */
int kith_checkpoint(MPI_Comm comm, const char* phase);

/* What was decided when `comm` was made: by kith_reorder(), by one of MPI's topology functions with
 * reorder=1, or for MPI_COMM_WORLD by KITH_REORDER at MPI_Init. Local, not collective.
 * Returns MPI_SUCCESS; MPI_ERR_COMM when Kith did not make `comm`; MPI_ERR_ARG for a null `report` or
 * a struct of unknown size. */
int kith_decision(MPI_Comm comm, kith_report* report);

#ifdef __cplusplus
}
#endif
#endif
