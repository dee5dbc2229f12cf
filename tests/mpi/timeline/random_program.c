/* A random MPI program that cannot deadlock: random_program SEED ACTIONS. All ranks of a communicator
 * draw the same numbers, and so do the same things; parts of the world may do different ones. */
#include "random_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char out[slots][room];
char in[slots][room];

uint32_t draw(Draws* draws, uint32_t below) {
  uint64_t z = draws->state += 0x9e3779b97f4a7c15u; /* splitmix64 */
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ z >> 31) >> 32) % below;
}

Team team_of(MPI_Comm comm) {
  Team team;
  team.comm = comm;
  MPI_Comm_rank(comm, &team.rank);
  MPI_Comm_size(comm, &team.size);
  return team;
}

Data draw_data(Draws* draws) {
  static const int bytes[] = {0, 8, 8, 64, 1000, 3000, 20000};
  const int size = bytes[draw(draws, 7)];
  switch (draw(draws, 3)) {
    case 0:
      return (Data){MPI_BYTE, size};
    case 1:
      return (Data){MPI_INT, size / (int)sizeof(int)};
    default:
      return (Data){MPI_DOUBLE, size / (int)sizeof(double)};
  }
}

/* --- completion --------------------------------------------------------------------------------- */

static void complete_one_by_one(Draws* draws, int count, MPI_Request requests[]) {
  const int backwards = (int)draw(draws, 2);
  const int polls = (int)draw(draws, 2);
  for (int i = 0; i < count; ++i) {
    MPI_Request* const request = &requests[backwards ? count - 1 - i : i];
    MPI_Status status;
    int done = 0;
    if (!polls) MPI_Wait(request, i % 2 ? &status : MPI_STATUS_IGNORE);
    while (polls && !done) MPI_Test(request, &done, i % 2 ? &status : MPI_STATUS_IGNORE);
  }
}

static void complete_any(Draws* draws, int count, MPI_Request requests[]) {
  const int polls = (int)draw(draws, 2);
  for (;;) {
    int index = MPI_UNDEFINED, done = 1;
    if (polls) MPI_Testany(count, requests, &index, &done, MPI_STATUS_IGNORE);
    else MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
    if (done && index == MPI_UNDEFINED) return;
  }
}

static void complete_some(Draws* draws, int count, MPI_Request requests[]) {
  const int polls = (int)draw(draws, 2);
  const int looks = (int)draw(draws, 2);
  int indices[slots], done = 0;
  MPI_Status statuses[slots];
  MPI_Status* const told = looks ? statuses : MPI_STATUSES_IGNORE;
  do {
    if (polls) MPI_Testsome(count, requests, &done, indices, told);
    else MPI_Waitsome(count, requests, &done, indices, told);
  } while (done != MPI_UNDEFINED);
}

static void complete_all(Draws* draws, int count, MPI_Request requests[]) {
  const int polls = (int)draw(draws, 2);
  const int looks = (int)draw(draws, 2);
  MPI_Status statuses[slots];
  MPI_Status* const told = looks ? statuses : MPI_STATUSES_IGNORE;
  int done = 0;
  if (!polls) MPI_Waitall(count, requests, told);
  while (polls && !done) MPI_Testall(count, requests, &done, told);
}

void complete(Draws* draws, int count, MPI_Request requests[]) {
  switch (draw(draws, 5)) {
    case 0:
      complete_one_by_one(draws, count, requests);
      return;
    case 1:
      complete_any(draws, count, requests);
      return;
    case 2:
      complete_some(draws, count, requests);
      return;
    default:
      complete_all(draws, count, requests);
  }
}

/* --- programs ----------------------------------------------------------------------------------- */

static void act(Draws* draws, const Team* team, int depth) {
  const uint32_t kind = draw(draws, 20);
  --draws->left;
  if (kind < 9) {
    message_actions[draw(draws, (uint32_t)message_action_count)](draws, team, depth);
  } else if (kind < 13) {
    collective(draws, team, depth);
  } else if (kind < 15) {
    nonblocking_collectives(draws, team, depth);
  } else if (kind == 15) {
    (draw(draws, 2) ? persistent_collectives : neighbourhoods)(draws, team, depth);
  } else if (kind == 16 && draw(draws, 2)) {
    windows(draws, team, depth);
  } else if (kind == 17 && draw(draws, 2)) {
    between_groups(draws, team, depth);
  } else if (depth > 0) {
    group_actions[draw(draws, (uint32_t)group_action_count)](draws, team, depth);
  } else {
    MPI_Pcontrol(1);
  }
}

/* The same body again and again; how often depends on the loop around, or not. */
static void loop(Draws* draws, const Team* team, int depth) {
  int rounds = 2 + (int)draw(draws, 5);
  if (draw(draws, 3) == 0) rounds = 1 + (rounds + draws->turn) % 4;
  const Draws body = *draws;
  for (int i = 0; i < rounds && draws->left > 0; ++i) {
    draws->state = body.state;
    draws->turn = i;
    go_on(draws, team, depth - 1);
  }
  draws->turn = body.turn;
}

void go_on(Draws* draws, const Team* team, int depth) {
  for (uint32_t parts = 1 + draw(draws, 3); parts > 0; --parts) {
    if (depth > 0 && draw(draws, 2)) loop(draws, team, depth);
    else act(draws, team, depth);
  }
}

int main(int count, char** words) {
  static char buffered[slots * (room + 1000)];
  Draws draws = {count > 1 ? strtoull(words[1], NULL, 10) * 7919u + 1 : 1, 0,
                 count > 2 ? atoi(words[2]) : 100};
  void* detached = NULL;
  int size = 0;
  MPI_Init(&count, &words);
  MPI_Buffer_attach(buffered, sizeof buffered);
  const Team world = team_of(MPI_COMM_WORLD);
  while (draws.left > 0) go_on(&draws, &world, 3);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Buffer_detach(&detached, &size);
  if (world.rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
