/* Point-to-point: each rank sends `unit` bytes to its right neighbour by each way. */
#include <stdlib.h>

#include "sections.h"

typedef int (*Sender)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int (*Starter)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static MPI_Request receive(void) {
  MPI_Request request;
  MPI_Irecv(in, ints, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
  return request;
}

/* A ready send needs the receive in place: neighbours tell each other by messages of no byte. */
static void receive_is_posted(void) {
  MPI_Sendrecv(NULL, 0, MPI_INT, left, 1, NULL, 0, MPI_INT, right, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static void blocking(Sender send) {
  MPI_Request request = receive();
  receive_is_posted();
  send(out, ints, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void nonblocking(Starter start) {
  MPI_Request request[2] = {receive()};
  receive_is_posted();
  start(out, ints, MPI_INT, right, 0, MPI_COMM_WORLD, &request[1]);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

/* Made once, started twice. */
static void persistent(Starter prepare) {
  MPI_Request request;
  prepare(out, ints, MPI_INT, right, 0, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Request incoming = receive();
    receive_is_posted();
    MPI_Start(&request);
    MPI_Wait(&incoming, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
}

static void with_buffer(void (*use)(Starter), Starter starter, Sender sender) {
  enum { room = unit + MPI_BSEND_OVERHEAD };
  void *buffer = malloc(2 * room), *detached;
  int size;
  MPI_Buffer_attach(buffer, 2 * room);
  if (use != NULL) use(starter);
  if (sender != NULL) blocking(sender);
  MPI_Buffer_detach(&detached, &size);
  free(buffer);
}

static void send(void) {
  blocking(MPI_Send);
}
static void bsend(void) {
  with_buffer(NULL, NULL, MPI_Bsend);
}
static void ssend(void) {
  blocking(MPI_Ssend);
}
static void rsend(void) {
  blocking(MPI_Rsend);
}
static void isend(void) {
  nonblocking(MPI_Isend);
}
static void ibsend(void) {
  with_buffer(nonblocking, MPI_Ibsend, NULL);
}
static void issend(void) {
  nonblocking(MPI_Issend);
}
static void irsend(void) {
  nonblocking(MPI_Irsend);
}
static void send_init(void) {
  persistent(MPI_Send_init);
}
static void bsend_init(void) {
  with_buffer(persistent, MPI_Bsend_init, NULL);
}
static void ssend_init(void) {
  persistent(MPI_Ssend_init);
}
static void rsend_init(void) {
  persistent(MPI_Rsend_init);
}

static void startall(void) {
  MPI_Request request[2];
  MPI_Recv_init(in, ints, MPI_INT, left, 0, MPI_COMM_WORLD, &request[0]);
  MPI_Send_init(out, ints, MPI_INT, right, 0, MPI_COMM_WORLD, &request[1]);
  for (int i = 0; i < 3; ++i) {
    MPI_Startall(2, request);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&request[0]);
  MPI_Request_free(&request[1]);
}

/* Freed while it is under way, as the standard allows; counted all the same. */
static void freed_early(void) {
  MPI_Request request, incoming = receive();
  MPI_Send_init(out, ints, MPI_INT, right, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  MPI_Request_free(&request);
  MPI_Wait(&incoming, MPI_STATUS_IGNORE);
}

static void sendrecv(void) {
  MPI_Sendrecv(out, ints, MPI_INT, right, 0, in, ints, MPI_INT, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}
static void sendrecv_replace(void) {
  MPI_Sendrecv_replace(in, ints, MPI_INT, right, 0, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A message that is looked at first is one message. */
static void mprobe(void) {
  MPI_Request request;
  MPI_Message message;
  MPI_Isend(out, ints, MPI_INT, right, 0, MPI_COMM_WORLD, &request);
  MPI_Mprobe(left, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(in, ints, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void improbe(void) {
  MPI_Request request, incoming;
  MPI_Message message;
  int found = 0;
  MPI_Isend(out, ints, MPI_INT, right, 0, MPI_COMM_WORLD, &request);
  while (!found) MPI_Improbe(left, 0, MPI_COMM_WORLD, &found, &message, MPI_STATUS_IGNORE);
  MPI_Imrecv(in, ints, MPI_INT, &message, &incoming);
  MPI_Wait(&incoming, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Every second int of twice the room: its size counts, not its extent. */
static void with_holes(void) {
  MPI_Datatype type;
  MPI_Type_vector(ints, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Request incoming = receive();
  MPI_Send(out, 1, type, right, 0, MPI_COMM_WORLD);
  MPI_Wait(&incoming, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
}

/* To the right neighbour of the world, which is the left one here. */
static void on_another_communicator(void) {
  MPI_Sendrecv(out, ints, MPI_INT, ranks - 1 - right, 0, in, ints, MPI_INT, ranks - 1 - left, 0,
               backwards, MPI_STATUS_IGNORE);
}

/* Rank 0 of the other group is the other of the pair. */
static void between_groups(void) {
  MPI_Sendrecv(out, ints, MPI_INT, 0, 0, in, ints, MPI_INT, 0, 0, across, MPI_STATUS_IGNORE);
}

static void to_oneself(void) {
  MPI_Sendrecv(out, ints, MPI_INT, rank, 0, in, ints, MPI_INT, rank, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}
static void to_nobody(void) {
  MPI_Request request;
  MPI_Send(out, ints, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Send_init(out, ints, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}

const Section p2p_sections[] = {
    {"send", send},
    {"bsend", bsend},
    {"ssend", ssend},
    {"rsend", rsend},
    {"isend", isend},
    {"ibsend", ibsend},
    {"issend", issend},
    {"irsend", irsend},
    {"send_init", send_init},
    {"bsend_init", bsend_init},
    {"ssend_init", ssend_init},
    {"rsend_init", rsend_init},
    {"startall", startall},
    {"freed_early", freed_early},
    {"sendrecv", sendrecv},
    {"sendrecv_replace", sendrecv_replace},
    {"mprobe", mprobe},
    {"improbe", improbe},
    {"with_holes", with_holes},
    {"on_another_communicator", on_another_communicator},
    {"between_groups", between_groups},
    {"to_oneself", to_oneself},
    {"to_nobody", to_nobody},
    {NULL, NULL},
};
