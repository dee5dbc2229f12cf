/* One area of MPI after the other, each in a file of its own: what a program sees there, line by
 * line. Nothing that is told may depend on where a process runs, or on the MPI library's choices.
 */
#ifndef KITH_TEST_CONFORMANCE_H
#define KITH_TEST_CONFORMANCE_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In MPI_COMM_WORLD, as MPI_Comm_rank and MPI_Comm_size said. */
extern int rank, size;

/* A line of this rank. Rank 0 prints all of them after the area, rank by rank. */
void tell(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* The ranks to the right and left in a ring, `steps` further. */
int right(int steps);
int left(int steps);

/* One line about a communicator: how large it is, who this rank is there, and whether all of its
 * members can talk to each other. Collective over it. */
void tell_communicator(const char* what, MPI_Comm comm);

/* The error class, by the name that the standard gives it. */
const char* class_of(int code);

/* The areas, in the order in which they run. Collective over MPI_COMM_WORLD; each leaves it as it
 * was. */
void point_to_point(void);
void completion(void);
void collectives(void);
void nonblocking_collectives(void);
void persistent_collectives(void);
void neighbourhood(void);
void communicators(void);
void groups(void);
void intercommunicators(void);
void attributes(void);
void error_handlers(void);
void names_and_info(void);
void comparison(void);
void handles(void);
void topologies(void);
void windows(void);
void files(void);
void processes(void);
void datatypes(void);
void environment(void);
void tools(void);
/* These two end the program: alone or last. */
void finalize(void);
void end_by_abort(void);

/* What a started program does instead: MPI_Comm_get_parent() is `parent`. */
void be_started(MPI_Comm parent);

#endif
