/* Each class of call in a section of its own, and what all sections share. */
#ifndef KITH_TEST_SECTIONS_H
#define KITH_TEST_SECTIONS_H

#include <mpi.h>
#include <string.h>
/* Open MPI's extensions: needs mpi.h before it. */
#include <mpi-ext.h>

#include "../check.h"

typedef struct {
  const char* name; /* as in classes_test.py */
  void (*run)(void);
} Section;

/* Ended by a section without a name. */
extern const Section p2p_sections[], coll_sections[], inter_sections[], neighbour_sections[],
    rma_sections[];

enum { ranks = 4, unit = 64, ints = unit / (int)sizeof(int) };
extern int rank, left, right;

/* Ranks 0 and 1, ranks 2 and 3; `place` is our rank there. */
extern MPI_Comm pair;
extern int place;
/* Between the two of a pair, each alone in its group. */
extern MPI_Comm across;
/* Ranks in reverse order; our rank there is 3 - rank. */
extern MPI_Comm backwards;
/* All ranks, as a ring and as a directed graph with edges to the right. */
extern MPI_Comm ring, graph;
/* Windows of a unit on each rank, on the world, on `backwards`, and with the library's memory. */
extern MPI_Win window, backwards_window, allocated_window;
/* Room for `ranks` units each. */
extern int out[ranks * ints], in[ranks * ints];

#endif
