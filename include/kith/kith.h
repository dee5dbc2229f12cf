/* Kith's C API: reorder a communicator so that ranks which talk to each other are near each other.
 *
 * Link with libkith (CMake target kith::kith) before the MPI library, or preload libkith.so.
 *
 * The same from Fortran: `use kith` (lib/bindings/fortran); from Python: `import kith` (lib/bindings/python),
 * with the same options, by keyword; from C++ also kith/reordered.hpp, whose communicators free
 * themselves.
 *
 * All functions except kith_bind() and kith_decision() are collective over `comm`, may be called at any thread level between MPI_Init and
 * MPI_Finalize (by one thread per communicator at a time), never abort, and return the same MPI error
 * code on every rank. Trouble inside Kith is no error of the call: the result is then a plain
 * duplicate of `comm`, and kith_decision() tells the reason.
 *
 * Structs begin with their size, and grow at their end only: a program that was compiled with an
 * earlier kith.h keeps working; a struct that is larger than this library knows is refused.
 *
 * In the middle of a run, with state that has to move along:
 *
 *   kith_options options = KITH_OPTIONS_INIT;
 *   options.state_bytes = cells * sizeof(double);
 *   options.remaining = (double)(steps - step) / step;
 *   kith_reorder(comm, &options, &better);
 *   kith_redistribute(comm, better, field, cells, MPI_DOUBLE);
 */
#ifndef KITH_KITH_H
#define KITH_KITH_H

#include <mpi.h>
#include <stddef.h>

#include "kith/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How to choose a new order. Fill with KITH_OPTIONS_INIT, then change what matters. The values of
 * comm's rank 0 count. Texts are the caller's, and are read during the call only. */
typedef struct kith_options {
  size_t size;           /* sizeof(kith_options) */
  const char* algorithm; /* a name from `kith algorithms`; NULL: KITH_ALGORITHM, or "auto" */
  const char* topology;  /* SPEC whose i-th allowed slot is where comm's rank i sits; NULL:
                            KITH_TOPOLOGY, whose j-th is where the launcher's rank j sits, or else
                            this job's machine */
  double min_gain;       /* least share of the present cost that must be saved, 0 .. 1; negative:
                            KITH_MIN_GAIN, or 0.02 */
  int keep_rank0;        /* 1: rank 0 keeps its process, 0: it may move; -1: KITH_KEEP_RANK0, or 1 */
  double state_bytes;    /* bytes that a rank which moves takes with it: what kith_redistribute()
                            will be called for. The order is then changed only where that saves
                            more, while the run lasts, than moving costs; and moves count when it is
                            looked for. 0 or less: not known, moving is taken to cost nothing */
  double remaining;      /* what is still to come, as a multiple of the traffic that the order is
                            chosen by: iterations left / iterations recorded. 0: nothing, so no rank
                            is moved; less: not known, taken as 1. Without state_bytes it only scales
                            kith_report.saving */
  int since_checkpoint;  /* 1: choose by what was sent since the last kith_checkpoint() only; 0: by
                            all since MPI_Init. Of no meaning to kith_reorder_graph() */
} kith_options;

#define KITH_OPTIONS_INIT {sizeof(kith_options), NULL, NULL, -1.0, -1, 0.0, -1.0, 0}

/* What kith_report.reason says, for programs. New ones may be added. */
typedef enum kith_reason {
  KITH_REASON_NOT_SAID = 0,        /* left as it was by a library that does not know this field */
  KITH_REASON_REORDERED = 1,       /* ranks moved */
  KITH_REASON_SMALL_GAIN = 2,      /* no order was found that saves enough */
  KITH_REASON_NOTHING_TO_GAIN = 3, /* one process, or ranks that send each other nothing */
  KITH_REASON_NO_ANSWER = 4,       /* kith-engine could not start, or took longer than KITH_BUDGET */
  KITH_REASON_FAILED = 5           /* something else was in the way */
} kith_reason;

/* What was decided about a communicator. */
typedef struct kith_report {
  size_t size;         /* sizeof(kith_report), set by the caller */
  int reordered;       /* 1 when ranks moved, 0 when the order is the old one */
  double cost_before;  /* the sum over pairs (hop-bytes, or the cost sum of a machine with costs) of the
                          old order; 0 when it was not computed. On several hosts the order is
                          chosen by the time of the busiest link, and by this sum among equals */
  double cost_after;   /* the same, predicted for the order that was proposed */
  double seconds;      /* wall seconds that the decision took */
  char algorithm[64];  /* that proposed the order; empty when none ran */
  char reason[512];    /* one sentence */
  int moved_ranks;     /* how many the proposed order gives to another process, applied or not */
  double moving_cost;  /* state_bytes x distance moved, summed over ranks; 0 without state_bytes */
  double saving;       /* remaining x (cost_before - cost_after). Both are in the unit of the costs,
                          bytes x hops or bytes x cost of the machine, and so compare: a byte of
                          state that is moved costs what a byte sent that far costs */
  int reason_code;     /* a kith_reason */
} kith_report;

/* Collective over `comm`. Makes `*reordered`: the processes of `comm` in an order that suits what they have sent to each
 * other so far (all traffic recorded since MPI_Init between members of `comm`, on whatever
 * communicator). The caller frees it. Data does not move: after the call, rank r of *reordered may be
 * another process than rank r of comm.
 *
 * options: may be NULL (defaults).
 * Returns MPI_SUCCESS; MPI_ERR_COMM for a null or inter-communicator; MPI_ERR_ARG for a null
 * `reordered`, an options struct of unknown size, or numbers in it that are not finite (of any rank);
 * otherwise what MPI_Comm_dup or MPI_Comm_split returned. */
int kith_reorder(MPI_Comm comm, const kith_options* options, MPI_Comm* reordered);

/* The same from a graph that the caller declares; nothing recorded counts. Each rank names those that
 * it sends to, with how much.
 *
 * degree: length of the next two; 0 is fine, then they may be NULL.
 * peers: ranks of `comm`, in any order; repeated ones add up; MPI_PROC_NULL and the rank itself are
 * passed over.
 * weights: from 0 to 1e60, in any unit (with options->state_bytes: bytes, of as much of the run as
 * options->remaining counts by, such as one iteration); NULL: each 1. Whole numbers count exactly up
 * to a sum of 2^44, others to 12 digits of the sum, be that 1e-200 or more.
 * Returns as kith_reorder(), and MPI_ERR_RANK where a rank named a peer that `comm` has not;
 * MPI_ERR_ARG for a negative degree, a missing list, or any other weight. */
int kith_reorder_graph(MPI_Comm comm, int degree, const int peers[], const double weights[],
                       const kith_options* options, MPI_Comm* reordered);

/* Moves data to where the ranks went: afterwards the process that is rank r of `to` holds in `buffer`
 * what the process that was rank r of `from` held. In place; who keeps its rank keeps its data
 * untouched. Call it once for each array of the state.
 *
 * from, to: two orders of the same processes, such as the argument and the result of kith_reorder().
 * Collective over `from`; one thread at a time for it.
 * buffer, count, type: as in MPI_Sendrecv_replace; holes of the type are left as they are. `count`
 * and the type's size have to be the same on all ranks; also the type's construction, should one
 * element be larger than 1 MiB (or elements travel whole, see below). MPI_BOTTOM may be used.
 *
 * Memory: some 3 MiB on each rank that moves, whatever the count. A single element of more than 1 MiB
 * is taken apart down to the types that it was made of; one made by MPI_Type_create_darray, or
 * differently on some ranks, is packed whole: 2 x its size then, up to 2 GiB. Beside this the
 * description of such a type is held, some 50 bytes a block.
 *
 * Returns, the same on all ranks, MPI_SUCCESS; and with nothing moved: MPI_ERR_COMM when `from` or
 * `to` is null, an inter-communicator, or they differ in more than the order; MPI_ERR_COUNT for
 * counts that are negative or differ; MPI_ERR_TYPE for types that cannot be communicated or differ in
 * size, or a larger element than MPI_Pack takes; MPI_ERR_BUFFER for MPI_IN_PLACE or a null pointer;
 * MPI_ERR_NO_MEM. After any other code, from MPI's own communication, the data is lost.
 * `from` itself must be valid on all ranks. */
int kith_redistribute(MPI_Comm from, MPI_Comm to, void* buffer, MPI_Count count, MPI_Datatype type);

/* Closes the current phase of the run under the name `phase` (that of rank 0 counts; at most 255
 * bytes) and opens the next. The trace then holds a matrix per phase; phases of one name are added.
 * Collective. `phase` is the caller's, and is copied.
 *
 * comm: must be congruent to MPI_COMM_WORLD, or have its ranks in another order.
 * Returns MPI_SUCCESS, also where Kith is off in this run, whatever the name; MPI_ERR_COMM for
 * another communicator; MPI_ERR_ARG for a null or empty name (of any rank); MPI_ERR_NO_MEM. */
int kith_checkpoint(MPI_Comm comm, const char* phase);

/* What was decided when `comm` was made: by kith_reorder() or kith_reorder_graph(), by one of MPI's
 * topology functions with reorder=1, or for MPI_COMM_WORLD by KITH_REORDER at MPI_Init. Local, not
 * collective, at any thread level. Fills in the caller's struct, texts included; nothing is to be freed.
 * Returns MPI_SUCCESS; MPI_ERR_COMM when Kith did not make `comm`; MPI_ERR_ARG for a null `report` or
 * a struct of unknown size. */
int kith_decision(MPI_Comm comm, kith_report* report);

/* A thread is bound to one processing unit (a hardware thread), or to a core with all of them. */
#define KITH_BIND_FINE 0
#define KITH_BIND_CORE 1

/* Binds the threads of this process to its CPUs, each to its own: those of the OpenMP team that a
 * parallel region would have now, or the calling thread alone where there is no OpenMP; and from now
 * on each new one. Thread 0 is the one that runs main; the others get the lowest number that is free
 * when they are created. Threads of the MPI library, and other programs that are started, have all CPUs.
 *
 * policy: "compact" (neighbours together), "scatter" (far from each other), "balanced" (equally many on
 * all sockets and cores, neighbours together); "eagermap", "treematch", "choicemap", "kith", by how much
 * threads share, which the file KITH_BIND_MATRIX says; or the name of a mapping file, from thread to
 * core or processing unit of the host. NULL: "compact".
 * granularity: KITH_BIND_FINE or KITH_BIND_CORE.
 *
 * Local, not collective; before MPI_Init, after it, or without MPI; outside of parallel regions, by one
 * thread at a time. Only CPUs that the process may use are taken; processes of the job that may use the
 * same ones by mistake get shares of them. A second call replaces the first one, and KITH_BIND.
 * Returns MPI_SUCCESS; MPI_ERR_ARG for an unknown policy or granularity, a missing matrix, a file that
 * does not fit this host: nothing is bound then, and a line on stderr says why. Where the host's hardware
 * is not to be had, MPI_SUCCESS and that line. */
int kith_bind(const char* policy, int granularity);

#ifdef __cplusplus
}
#endif
#endif
