/* The random program's collectives, windows, topologies, and messages between two groups. */
#include "random_program.h"

#include "support/persistent.h"

#include <string.h>

enum { most_members = 64, ways = 17 };

/* The counts and places of a v-variant: block i has 1 + (i + shift) % 3 elements, or nothing. */
typedef struct {
  int counts[most_members], places[most_members];
  MPI_Datatype types[most_members];
} Blocks;

static Blocks blocks_of(int size, int shift, int factor) {
  Blocks blocks = {0};
  int place = 0;
  for (int i = 0; i < size; ++i) {
    blocks.counts[i] = (i + shift) % 4 == 3 ? 0 : factor * (1 + (i + shift) % 3);
    blocks.places[i] = place;
    blocks.types[i] = MPI_INT;
    place += blocks.counts[i];
  }
  return blocks;
}

/* Block j of what rank i sends to rank j: the same numbers on both sides. */
static void exchanged(const Team* team, int shift, int factor, Blocks* sent, Blocks* got) {
  int out_place = 0, in_place = 0;
  for (int i = 0; i < team->size; ++i) {
    sent->counts[i] = factor * ((team->rank + 2 * i + shift) % 3);
    got->counts[i] = factor * ((i + 2 * team->rank + shift) % 3);
    sent->places[i] = out_place;
    got->places[i] = in_place;
    sent->types[i] = got->types[i] = MPI_INT;
    out_place += sent->counts[i];
    in_place += got->counts[i];
  }
}

static void in_bytes(Blocks* blocks, int size) {
  for (int i = 0; i < size; ++i) blocks->places[i] *= (int)sizeof(int);
}

typedef struct {
  int way, root, count, shift, in_place;
} Choice;

static Choice choose(Draws* draws, const Team* team) {
  static const int counts[] = {0, 1, 2, 10, 100, 700};
  Choice choice;
  choice.way = (int)draw(draws, ways);
  choice.root = (int)draw(draws, (uint32_t)team->size);
  choice.count = counts[draw(draws, 6)];
  choice.shift = (int)draw(draws, 4);
  choice.in_place = draw(draws, 4) == 0;
  return choice;
}

/* request NULL: blocking. Buffers of a slot: enough for 64 blocks of 78 ints. */
static void do_one(const Team* team, Choice choice, int slot, MPI_Request* request) {
  const MPI_Comm comm = team->comm;
  const int root = choice.root, count = choice.count;
  const int n = count * team->size * (int)sizeof(int) > room ? 1 : count;
  void* const from = choice.in_place ? MPI_IN_PLACE : (void*)out[slot];
  void* const from_root = choice.in_place && team->rank == root ? MPI_IN_PLACE : (void*)out[slot];
  void* const to_root = choice.in_place && team->rank == root ? MPI_IN_PLACE : (void*)in[slot];
  Blocks all = blocks_of(team->size, choice.shift, n > 100 ? 100 : n), sent, got;
  exchanged(team, choice.shift, n > 100 ? 100 : n, &sent, &got);
#define BOTH(Name, IName, ...) \
  do {                         \
    if (request == NULL) MPI_##Name(__VA_ARGS__); \
    else MPI_##IName(__VA_ARGS__, request);       \
    return;                    \
  } while (0)
  switch (choice.way) {
    case 0: BOTH(Barrier, Ibarrier, comm);
    case 1: BOTH(Bcast, Ibcast, in[slot], count, MPI_INT, root, comm);
    case 2: BOTH(Reduce, Ireduce, from_root == MPI_IN_PLACE ? from_root : out[slot], in[slot], count, MPI_INT, MPI_SUM, root, comm);
    case 3: BOTH(Allreduce, Iallreduce, from, in[slot], count, MPI_INT, MPI_MAX, comm);
    case 4: BOTH(Scan, Iscan, from, in[slot], count, MPI_INT, MPI_SUM, comm);
    case 5: BOTH(Exscan, Iexscan, from, in[slot], count, MPI_INT, MPI_SUM, comm);
    case 6: BOTH(Reduce_scatter_block, Ireduce_scatter_block, out[slot], in[slot], n, MPI_INT, MPI_SUM, comm);
    case 7: BOTH(Reduce_scatter, Ireduce_scatter, out[slot], in[slot], all.counts, MPI_INT, MPI_SUM, comm);
    case 8: BOTH(Gather, Igather, from_root, n, MPI_INT, in[slot], n, MPI_INT, root, comm);
    case 9: BOTH(Gatherv, Igatherv, from_root, all.counts[team->rank], MPI_INT, in[slot], all.counts, all.places, MPI_INT, root, comm);
    case 10: BOTH(Scatter, Iscatter, out[slot], n, MPI_INT, to_root, n, MPI_INT, root, comm);
    case 11: BOTH(Scatterv, Iscatterv, out[slot], all.counts, all.places, MPI_INT, to_root, all.counts[team->rank], MPI_INT, root, comm);
    case 12: BOTH(Allgather, Iallgather, from, n, MPI_INT, in[slot], n, MPI_INT, comm);
    case 13: BOTH(Allgatherv, Iallgatherv, from, all.counts[team->rank], MPI_INT, in[slot], all.counts, all.places, MPI_INT, comm);
    case 14: BOTH(Alltoall, Ialltoall, from, n, MPI_INT, in[slot], n, MPI_INT, comm);
    case 15: BOTH(Alltoallv, Ialltoallv, out[slot], sent.counts, sent.places, MPI_INT, in[slot], got.counts, got.places, MPI_INT, comm);
    default:
      in_bytes(&sent, team->size);
      in_bytes(&got, team->size);
      BOTH(Alltoallw, Ialltoallw, out[slot], sent.counts, sent.places, sent.types, in[slot], got.counts, got.places, got.types, comm);
  }
}

void collective(Draws* draws, const Team* team, int depth) {
  (void)depth;
  do_one(team, choose(draws, team), 0, NULL);
}

/* Some at once, with messages between; what the arguments name must live until they are complete. */
void nonblocking_collectives(Draws* draws, const Team* team, int depth) {
  MPI_Request requests[slots];
  int count = 0;
  const int next = (team->rank + 1) % team->size, last = (team->rank + team->size - 1) % team->size;
  (void)depth;
  for (uint32_t i = 1 + draw(draws, 3); i > 0; --i) {
    Choice choice = choose(draws, team);
    /* the library reads the lists of counts later: they are gone by then */
    if (choice.way == 7 || choice.way == 9 || choice.way == 11 || choice.way == 13 || choice.way > 14) {
      choice.way = (int)(i % 7);
    }
    do_one(team, choice, count, &requests[count]);
    ++count;
    if (draw(draws, 2)) {
      MPI_Irecv(in[count], room, MPI_BYTE, last, 2, team->comm, &requests[count]);
      ++count;
      MPI_Isend(out[count], 10, MPI_INT, next, 2, team->comm, &requests[count]);
      ++count;
    }
  }
  complete(draws, count, requests);
  /* v-variants one at a time */
  Choice choice = choose(draws, team);
  MPI_Request request;
  static Blocks all, sent, got;
  all = blocks_of(team->size, choice.shift, 5);
  exchanged(team, choice.shift, 5, &sent, &got);
  switch (choice.way % 4) {
    case 0:
      MPI_Iallgatherv(out[0], all.counts[team->rank], MPI_INT, in[0], all.counts, all.places, MPI_INT,
                      team->comm, &request);
      break;
    case 1:
      MPI_Ialltoallv(out[0], sent.counts, sent.places, MPI_INT, in[0], got.counts, got.places, MPI_INT,
                     team->comm, &request);
      break;
    case 2:
      MPI_Igatherv(out[0], all.counts[team->rank], MPI_INT, in[0], all.counts, all.places, MPI_INT,
                   choice.root, team->comm, &request);
      break;
    default:
      MPI_Iscatterv(out[0], all.counts, all.places, MPI_INT, in[0], all.counts[team->rank], MPI_INT,
                    choice.root, team->comm, &request);
  }
  complete(draws, 1, &request);
}

void persistent_collectives(Draws* draws, const Team* team, int depth) {
  (void)depth;
#if defined(PERSISTENT)
  MPI_Request requests[3];
  const int root = (int)draw(draws, (uint32_t)team->size), count = 1 + (int)draw(draws, 200);
  PERSISTENT(Barrier)(team->comm, MPI_INFO_NULL, &requests[0]);
  PERSISTENT(Bcast)(in[1], count, MPI_INT, root, team->comm, MPI_INFO_NULL, &requests[1]);
  PERSISTENT(Allreduce)(out[2], in[2], count, MPI_INT, MPI_SUM, team->comm, MPI_INFO_NULL, &requests[2]);
  for (uint32_t i = 1 + draw(draws, 4); i > 0; --i) {
    MPI_Startall(3, requests);
    complete(draws, 3, requests);
  }
  for (int i = 0; i < 3; ++i) MPI_Request_free(&requests[i]);
#else
  (void)draws;
  MPI_Barrier(team->comm);
#endif
}

/* --- topologies --------------------------------------------------------------------------------- */

static void along_edges(Draws* draws, MPI_Comm comm) {
  static int out_counts[8], in_counts[8], places[8];
  const int count = (int)draw(draws, 50);
  MPI_Request request;
  for (int i = 0; i < 8; ++i) out_counts[i] = in_counts[i] = count, places[i] = count * i;
  switch (draw(draws, 5)) {
    case 0:
      MPI_Neighbor_allgather(out[0], count, MPI_INT, in[0], count, MPI_INT, comm);
      return;
    case 1:
      MPI_Neighbor_alltoall(out[0], count, MPI_INT, in[0], count, MPI_INT, comm);
      return;
    case 2:
      MPI_Neighbor_alltoallv(out[0], out_counts, places, MPI_INT, in[0], in_counts, places, MPI_INT, comm);
      return;
    case 3:
      MPI_Neighbor_allgatherv(out[0], count, MPI_INT, in[0], in_counts, places, MPI_INT, comm);
      return;
    default:
      MPI_Ineighbor_alltoall(out[0], count + 1, MPI_INT, in[0], count + 1, MPI_INT, comm, &request);
      complete(draws, 1, &request);
  }
}

void neighbourhoods(Draws* draws, const Team* team, int depth) {
  MPI_Comm made, row;
  int extents[2] = {0, 0}, periodic[2], kept[2] = {1, 0};
  (void)depth;
  if (draw(draws, 2)) {
    const int next = (team->rank + 1) % team->size, last = (team->rank + team->size - 1) % team->size;
    const int weight = 1;
    MPI_Dist_graph_create_adjacent(team->comm, 1, &last, &weight, 1, &next, &weight, MPI_INFO_NULL, 0,
                                   &made);
    for (int i = 0; i < 3; ++i) along_edges(draws, made);
    MPI_Comm_free(&made);
    return;
  }
  MPI_Dims_create(team->size, 2, extents);
  periodic[0] = (int)draw(draws, 2);
  periodic[1] = (int)draw(draws, 2);
  MPI_Cart_create(team->comm, 2, extents, periodic, 0, &made);
  const Draws body = *draws;
  for (int i = 0; i < 3; ++i) {
    *draws = body;
    along_edges(draws, made);
  }
  MPI_Cart_sub(made, kept, &row);
  MPI_Barrier(row);
  MPI_Comm_free(&row);
  MPI_Comm_free(&made);
}

/* --- windows ------------------------------------------------------------------------------------ */

static void access_window(Draws* draws, MPI_Win window, int target) {
  static const double one[100];
  static double got[100];
  const int count = 1 + (int)draw(draws, 100);
  switch (draw(draws, 6)) {
    case 0:
      MPI_Get(got, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, window);
      return;
    case 1:
      MPI_Accumulate(one, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, MPI_SUM, window);
      return;
    case 2:
      MPI_Get_accumulate(one, count, MPI_DOUBLE, got, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE,
                         draw(draws, 2) ? MPI_SUM : MPI_NO_OP, window);
      return;
    case 3:
      MPI_Fetch_and_op(one, got, MPI_DOUBLE, target, 0, MPI_SUM, window);
      return;
    default:
      MPI_Put(one, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, window);
  }
}

/* With requests, in a passive epoch. */
static void access_with_requests(Draws* draws, MPI_Win window, int target) {
  static const double one[100];
  static double got[100];
  MPI_Request requests[3];
  const int count = 1 + (int)draw(draws, 100);
  MPI_Rput(one, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, window, &requests[0]);
  MPI_Rget(got, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, window, &requests[1]);
  MPI_Raccumulate(one, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, MPI_SUM, window, &requests[2]);
  complete(draws, 3, requests);
}

static void ring_epoch(Draws* draws, const Team* team, MPI_Win window, int next, int last) {
  MPI_Group all, to, from;
  MPI_Comm_group(team->comm, &all);
  MPI_Group_incl(all, 1, &next, &to);
  MPI_Group_incl(all, 1, &last, &from);
  MPI_Win_post(from, 0, window);
  MPI_Win_start(to, 0, window);
  access_window(draws, window, next);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  MPI_Group_free(&to);
  MPI_Group_free(&from);
  MPI_Group_free(&all);
}

void windows(Draws* draws, const Team* team, int depth) {
  static double memory[200];
  const int next = (team->rank + 1) % team->size, last = (team->rank + team->size - 1) % team->size;
  const int way = (int)draw(draws, 4);
  double* base = memory;
  MPI_Win window;
  (void)depth;
  // Open MPI 4.1 refuses MPI_Win_create on a communicator of one rank.
  if (draw(draws, 2) || team->size == 1) {
    MPI_Win_allocate(sizeof memory, sizeof(double), MPI_INFO_NULL, team->comm, &base, &window);
  } else {
    MPI_Win_create(memory, sizeof memory, sizeof(double), MPI_INFO_NULL, team->comm, &window);
  }
  if (way == 0) MPI_Win_fence(0, window);
  for (uint32_t i = 1 + draw(draws, 3); i > 0; --i) {
    if (way == 0) {
      access_window(draws, window, next);
      MPI_Win_fence(0, window);
    } else if (way == 1) {
      MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window);
      access_window(draws, window, next);
      MPI_Win_unlock(next, window);
    } else if (way == 2) {
      MPI_Win_lock_all(0, window);
      access_with_requests(draws, window, next);
      MPI_Win_flush(next, window);
      access_window(draws, window, team->rank);
      MPI_Win_flush_all(window);
      MPI_Win_unlock_all(window);
    } else {
      ring_epoch(draws, team, window, next, last);
    }
  }
  MPI_Win_free(&window);
}

/* --- between two groups ------------------------------------------------------------------------- */

/* Each rank of a group sends to one of the other, which knows from whom. */
static void cross(Draws* draws, const Team* half, MPI_Comm between, int remote, int sends) {
  MPI_Request requests[slots];
  int count = 0;
  const Data data = draw_data(draws);
  if (sends) {
    MPI_Isend(out[0], data.count, data.type, half->rank % remote, 5, between, &requests[count++]);
  } else {
    for (int i = half->rank; i < remote; i += half->size) {
      MPI_Irecv(in[count], room, MPI_BYTE, i, MPI_ANY_TAG, between, &requests[count]);
      ++count;
    }
  }
  complete(draws, count, requests);
}

static void collectives_between(Draws* draws, const Team* half, MPI_Comm between, int is_high) {
  const int count = 1 + (int)draw(draws, 100);
  const int root = !is_high ? (half->rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  MPI_Request request;
  MPI_Barrier(between);
  MPI_Bcast(in[0], count, MPI_INT, root, between);
  MPI_Gather(out[0], count, MPI_INT, in[0], count, MPI_INT, root, between);
  MPI_Scatter(out[0], count, MPI_INT, in[0], count, MPI_INT, root, between);
  MPI_Reduce(out[0], in[0], count, MPI_INT, MPI_SUM, root, between);
  MPI_Allgather(out[0], count, MPI_INT, in[0], count, MPI_INT, between);
  MPI_Alltoall(out[0], count, MPI_INT, in[0], count, MPI_INT, between);
  MPI_Allreduce(out[0], in[0], count, MPI_INT, MPI_SUM, between);
  MPI_Ibarrier(between, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void between_groups(Draws* draws, const Team* team, int depth) {
  const int middle = 1 + (int)draw(draws, (uint32_t)(team->size > 1 ? team->size - 1 : 1));
  const int is_high = team->rank >= middle, rounds = 1 + (int)draw(draws, 3);
  MPI_Comm local, between, merged;
  if (team->size < 2) return;
  MPI_Comm_split(team->comm, is_high, 0, &local);
  MPI_Intercomm_create(local, 0, team->comm, is_high ? 0 : middle, 9, &between);
  const Team half = team_of(local);
  const int remote = team->size - half.size;
  const Draws body = *draws;
  for (int i = 0; i < rounds; ++i) {
    *draws = body;
    cross(draws, &half, between, remote, !is_high);
    cross(draws, &half, between, remote, is_high);
    collectives_between(draws, &half, between, is_high);
  }
  MPI_Intercomm_merge(between, is_high, &merged);
  MPI_Comm_free(&between);
  MPI_Comm_free(&local);
  const Team both = team_of(merged);
  Draws own = *draws;
  own.left = 5;
  go_on(&own, &both, depth > 0 ? 1 : 0);
  draw(draws, 2);
  MPI_Comm_free(&merged);
}
