/* What the parts of the random program share. */
#ifndef KITH_TEST_RANDOM_PROGRAM_H
#define KITH_TEST_RANDOM_PROGRAM_H

#include <mpi.h>
#include <stdint.h>

/* All ranks of a team draw the same numbers. */
typedef struct {
  uint64_t state;
  int turn; /* of the loop around: some counts vary with it */
  int left; /* actions until the program ends */
} Draws;

typedef struct {
  MPI_Comm comm;
  int rank, size;
} Team;

enum { room = 20000, slots = 48 }; /* bytes of a message at most, messages under way at most */

extern char out[slots][room];
extern char in[slots][room];

uint32_t draw(Draws* draws, uint32_t below);
Team team_of(MPI_Comm comm);

typedef struct {
  MPI_Datatype type;
  int count;
} Data;
Data draw_data(Draws* draws);

/* Completes all of them in one of many ways. */
void complete(Draws* draws, int count, MPI_Request requests[]);

/* A few things one after the other, and loops of them to a depth. */
void go_on(Draws* draws, const Team* team, int depth);

typedef void Action(Draws* draws, const Team* team, int depth);
extern Action* const message_actions[];
extern const int message_action_count;
extern Action* const group_actions[];
extern const int group_action_count;
Action collective, nonblocking_collectives, persistent_collectives, neighbourhoods, windows,
    between_groups;

#endif
