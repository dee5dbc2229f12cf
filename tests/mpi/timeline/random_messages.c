/* The random program's messages between two ranks, and what makes other groups of ranks. */
#include "random_program.h"

#include <string.h>

static int draw_tag(Draws* draws) {
  return (int)draw(draws, 4);
}

/* Tags that no other receive waits for: a message of a faster rank's next part is not taken. */
static int draw_own_tag(Draws* draws) {
  return 1000 + (int)draw(draws, 20000);
}

static int neighbour(const Team* team, int distance) {
  return ((team->rank + distance) % team->size + team->size) % team->size;
}

/* Who receives nothing runs ahead: a buffer for its sends would overflow. */
static void start_send(Draws* draws, const Team* team, int slot, Data data, int to, int tag,
                       int may_buffer, MPI_Request* request) {
  switch (draw(draws, 4)) {
    case 0:
      MPI_Issend(out[slot], data.count, data.type, to, tag, team->comm, request);
      return;
    case 1:
      if (!may_buffer) break;
      MPI_Ibsend(out[slot], data.count, data.type, to, tag, team->comm, request);
      return;
    default:
      break;
  }
  MPI_Isend(out[slot], data.count, data.type, to, tag, team->comm, request);
}

static void blocking_send(Draws* draws, const Team* team, Data data, int to, int tag) {
  switch (draw(draws, 4)) {
    case 0:
      MPI_Ssend(out[0], data.count, data.type, to, tag, team->comm);
      return;
    case 1:
      MPI_Bsend(out[0], data.count, data.type, to, tag, team->comm);
      return;
    default:
      MPI_Send(out[0], data.count, data.type, to, tag, team->comm);
  }
}

/* --- requests ----------------------------------------------------------------------------------- */

static void exchange(Draws* draws, const Team* team, int depth) {
  MPI_Request requests[slots];
  int count = 0;
  (void)depth;
  for (uint32_t i = 1 + draw(draws, 4); i > 0; --i) {
    const int distance = (int)draw(draws, 4), tag = draw_tag(draws);
    const int ends = draw(draws, 4) == 0; /* an open line */
    const Data data = draw_data(draws);
    const int is_last = team->rank + distance >= team->size, is_first = team->rank < distance;
    const int from = ends && is_first ? MPI_PROC_NULL : neighbour(team, -distance);
    const int to = ends && is_last ? MPI_PROC_NULL : neighbour(team, distance);
    if (ends && distance >= team->size) continue;
    MPI_Irecv(in[count], room, MPI_BYTE, from, tag, team->comm, &requests[count]);
    ++count;
    start_send(draws, team, count, data, to, tag, !ends, &requests[count]);
    ++count;
    if (draw(draws, 5) == 0) requests[count++] = MPI_REQUEST_NULL;
  }
  complete(draws, count, requests);
}

static void persistent(Draws* draws, const Team* team, int depth) {
  MPI_Request requests[slots];
  int count = 0;
  const int wild = draw(draws, 3) == 0, tag = draw_own_tag(draws);
  (void)depth;
  for (uint32_t i = 1 + draw(draws, 3); i > 0; --i) {
    const int distance = (int)draw(draws, 3);
    const Data data = draw_data(draws);
    MPI_Recv_init(in[count], room, MPI_BYTE, wild ? MPI_ANY_SOURCE : neighbour(team, -distance), tag,
                  team->comm, &requests[count]);
    ++count;
    MPI_Send_init(out[count], data.count, data.type, neighbour(team, distance), tag, team->comm,
                  &requests[count]);
    ++count;
  }
  MPI_Send_init(out[count], 1, MPI_INT, MPI_PROC_NULL, tag, team->comm, &requests[count]);
  ++count;
  const Draws body = *draws;
  for (int round = 0; round < 4; ++round) {
    *draws = body;
    if (round % 3 == 0) {
      for (int i = 0; i < count; ++i) MPI_Start(&requests[i]);
    } else {
      MPI_Startall(count, requests);
    }
    complete(draws, count, requests);
    if (wild) MPI_Barrier(team->comm);
  }
  for (int i = 0; i < count; ++i) MPI_Request_free(&requests[i]);
}

/* A send that is forgotten at once. */
static void free_active(Draws* draws, const Team* team, int depth) {
  MPI_Request request;
  const int tag = draw_tag(draws);
  (void)depth;
  MPI_Isend(out[0], 2, MPI_INT, neighbour(team, 1), tag, team->comm, &request);
  MPI_Request_free(&request);
  MPI_Recv(in[0], room, MPI_BYTE, neighbour(team, -1), tag, team->comm, MPI_STATUS_IGNORE);
}

static void nobody(Draws* draws, const Team* team, int depth) {
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[3];
  int index, done;
  (void)depth;
  (void)draws;
  MPI_Send(out[0], 5, MPI_INT, MPI_PROC_NULL, 1, team->comm);
  MPI_Recv(in[0], 5, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, team->comm, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
  MPI_Waitall(3, requests, statuses);
  MPI_Irecv(in[0], 5, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, team->comm, &requests[1]);
  MPI_Isend(out[0], 5, MPI_INT, MPI_PROC_NULL, 1, team->comm, &requests[2]);
  MPI_Waitany(3, requests, &index, &statuses[0]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Testall(3, requests, &done, MPI_STATUSES_IGNORE);
  MPI_Probe(MPI_PROC_NULL, 1, team->comm, MPI_STATUS_IGNORE);
}

/* A message that is longer than its buffer: the call says so, and its requests are complete. */
static void too_long(Draws* draws, const Team* team, int depth) {
  MPI_Request requests[4];
  MPI_Status statuses[4];
  const int last = neighbour(team, -1), next = neighbour(team, 1), looks = (int)draw(draws, 2);
  (void)depth;
  MPI_Comm_set_errhandler(team->comm, MPI_ERRORS_RETURN);
  MPI_Irecv(in[0], 4, MPI_BYTE, last, 2, team->comm, &requests[0]);
  MPI_Irecv(in[1], room, MPI_BYTE, last, 3, team->comm, &requests[1]);
  MPI_Isend(out[0], 20, MPI_INT, next, 2, team->comm, &requests[2]);
  MPI_Isend(out[1], 20, MPI_INT, next, 3, team->comm, &requests[3]);
  MPI_Waitall(4, requests, looks ? statuses : MPI_STATUSES_IGNORE);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_set_errhandler(team->comm, MPI_ERRORS_ARE_FATAL);
}

/* --- calls that block --------------------------------------------------------------------------- */

static void pairs(Draws* draws, const Team* team, int depth) {
  const int partner = team->rank ^ 1, tag = draw_tag(draws), ready = draw(draws, 4) == 0;
  const Data there = draw_data(draws), back = draw_data(draws);
  Draws lower = *draws, upper = *draws;
  MPI_Request request;
  (void)depth;
  draw(draws, 4);
  if (partner >= team->size) return;
  if (team->rank > partner) {
    if (ready) {
      MPI_Irecv(in[1], room, MPI_BYTE, partner, tag, team->comm, &request);
      MPI_Send(NULL, 0, MPI_BYTE, partner, tag, team->comm);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(in[0], room, MPI_BYTE, partner, tag, team->comm, MPI_STATUS_IGNORE);
    }
    blocking_send(&upper, team, back, partner, tag);
  } else {
    if (ready) {
      MPI_Recv(NULL, 0, MPI_BYTE, partner, tag, team->comm, MPI_STATUS_IGNORE);
      MPI_Rsend(out[0], there.count, there.type, partner, tag, team->comm);
    } else {
      blocking_send(&lower, team, there, partner, tag);
    }
    MPI_Recv(in[0], room, MPI_BYTE, partner, tag, team->comm, MPI_STATUS_IGNORE);
  }
}

static void send_and_receive(Draws* draws, const Team* team, int depth) {
  const int distance = (int)draw(draws, 3), tag = draw_tag(draws), replaces = (int)draw(draws, 2);
  const int ends = (int)draw(draws, 2) && distance < team->size;
  const Data data = draw_data(draws);
  const int to = ends && team->rank + distance >= team->size ? MPI_PROC_NULL : neighbour(team, distance);
  const int from = ends && team->rank < distance ? MPI_PROC_NULL : neighbour(team, -distance);
  (void)depth;
  if (replaces) {
    MPI_Sendrecv_replace(in[0], data.count, data.type, to, tag, from, tag, team->comm,
                         MPI_STATUS_IGNORE);
  } else {
    MPI_Sendrecv(out[0], data.count, data.type, to, tag, in[0], room, MPI_BYTE, from, tag, team->comm,
                 MPI_STATUS_IGNORE);
  }
}

/* --- whoever comes first ------------------------------------------------------------------------ */

static void send_to_root(Draws* draws, const Team* team, int root, int tag) {
  const Data data = draw_data(draws);
  blocking_send(draws, team, data, root, tag);
}

static void receive_any(Draws* draws, const Team* team, int depth) {
  const int root = (int)draw(draws, (uint32_t)team->size), tag = draw_own_tag(draws);
  const int any_tag = draw(draws, 2) ? MPI_ANY_TAG : tag, posts = (int)draw(draws, 2);
  const int looks = (int)draw(draws, 2);
  Draws others = *draws, own = *draws;
  (void)depth;
  draw(draws, 4);
  if (team->rank != root) {
    send_to_root(&others, team, root, tag);
  } else if (posts) {
    MPI_Request requests[slots];
    for (int i = 0; i < team->size - 1; ++i) {
      MPI_Irecv(in[i], room, MPI_BYTE, MPI_ANY_SOURCE, any_tag, team->comm, &requests[i]);
    }
    complete(&own, team->size - 1, requests);
  } else {
    MPI_Status status;
    for (int i = 0; i < team->size - 1; ++i) {
      MPI_Recv(in[0], room, MPI_BYTE, MPI_ANY_SOURCE, any_tag, team->comm,
               looks ? &status : MPI_STATUS_IGNORE);
    }
  }
  MPI_Barrier(team->comm); /* nobody's next message is taken */
}

static void probe_one(const Team* team, int way, int any_tag) {
  MPI_Status status;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Request request;
  int found = 0;
  switch (way) {
    case 0:
      MPI_Probe(MPI_ANY_SOURCE, any_tag, team->comm, &status);
      break;
    case 1:
      while (!found) MPI_Iprobe(MPI_ANY_SOURCE, any_tag, team->comm, &found, &status);
      break;
    case 2:
      MPI_Mprobe(MPI_ANY_SOURCE, any_tag, team->comm, &message, MPI_STATUS_IGNORE);
      MPI_Mrecv(in[0], room, MPI_BYTE, &message, MPI_STATUS_IGNORE);
      return;
    default:
      while (!found) {
        MPI_Improbe(MPI_ANY_SOURCE, any_tag, team->comm, &found, &message, MPI_STATUS_IGNORE);
      }
      MPI_Imrecv(in[0], room, MPI_BYTE, &message, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      return;
  }
  MPI_Recv(in[0], room, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, team->comm, MPI_STATUS_IGNORE);
}

static void probes(Draws* draws, const Team* team, int depth) {
  const int root = (int)draw(draws, (uint32_t)team->size), tag = draw_own_tag(draws);
  const int any_tag = draw(draws, 2) ? MPI_ANY_TAG : tag, way = (int)draw(draws, 4);
  Draws others = *draws;
  (void)depth;
  draw(draws, 4);
  if (team->rank != root) {
    send_to_root(&others, team, root, tag);
  } else {
    for (int i = 0; i < team->size - 1; ++i) probe_one(team, way, any_tag);
  }
  MPI_Barrier(team->comm);
}

Action* const message_actions[] = {exchange, exchange, exchange, persistent, free_active, too_long, nobody,
                                   pairs, send_and_receive, receive_any, probes};
const int message_action_count = sizeof message_actions / sizeof *message_actions;

/* --- other groups ------------------------------------------------------------------------------- */

/* Each group draws numbers of its own. */
static void go_on_in(const Draws* draws, MPI_Comm comm, int colour, int depth) {
  if (comm == MPI_COMM_NULL) return;
  const Team team = team_of(comm);
  Draws own = *draws;
  own.state += (uint64_t)colour * 12345u;
  own.left = draws->left < 10 ? draws->left : 10;
  go_on(&own, &team, depth - 1);
  MPI_Comm_free(&comm);
}

static void split(Draws* draws, const Team* team, int depth) {
  const int parts = 1 + (int)draw(draws, 3), backwards = (int)draw(draws, 2);
  const int colour = team->rank % parts, without = draw(draws, 3) == 0;
  MPI_Comm made;
  MPI_Comm_split(team->comm, without && colour == 1 ? MPI_UNDEFINED : colour,
                 backwards ? -team->rank : team->rank, &made);
  go_on_in(draws, made, colour, depth);
  draw(draws, 2);
}

static void duplicate(Draws* draws, const Team* team, int depth) {
  MPI_Comm made, second;
  MPI_Request request;
  if (draw(draws, 2)) {
    MPI_Comm_dup(team->comm, &made);
  } else {
    MPI_Comm_idup(team->comm, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_dup(made, &second); /* two of one group at a time */
  MPI_Barrier(made);
  MPI_Barrier(second);
  go_on_in(draws, made, 0, depth);
  go_on_in(draws, second, 1, depth);
  draw(draws, 2);
}

static void choose_members(Draws* draws, const Team* team, int depth) {
  const int by_members = (int)draw(draws, 2), first = (int)draw(draws, (uint32_t)team->size);
  const int step = 1 + (int)draw(draws, 2);
  int range[1][3] = {{first, team->size - 1, step}};
  const int is_member = team->rank >= first && (team->rank - first) % step == 0;
  MPI_Group all, some;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_group(team->comm, &all);
  MPI_Group_range_incl(all, 1, range, &some);
  if (!by_members) MPI_Comm_create(team->comm, some, &made);
  else if (is_member) MPI_Comm_create_group(team->comm, some, 7, &made);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  go_on_in(draws, made, 2, depth);
  draw(draws, 2);
}

/* What is under way outlives its communicator. */
static void free_early(Draws* draws, const Team* team, int depth) {
  MPI_Comm made;
  MPI_Request requests[2];
  const Data data = draw_data(draws);
  (void)depth;
  MPI_Comm_dup(team->comm, &made);
  MPI_Irecv(in[0], room, MPI_BYTE, neighbour(team, -1), 3, made, &requests[0]);
  MPI_Isend(out[0], data.count, data.type, neighbour(team, 1), 3, made, &requests[1]);
  MPI_Comm_free(&made);
  complete(draws, 2, requests);
}

Action* const group_actions[] = {split, split, duplicate, choose_members, free_early};
const int group_action_count = sizeof group_actions / sizeof *group_actions;
