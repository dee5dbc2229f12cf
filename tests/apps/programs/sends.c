/* Every way of sending, on the world and on communicators derived from it, with sizes that tell the
 * pairs apart; collectives only as barriers and to make communicators. Deterministic.
 *
 * sends [plain|between]: `plain` sends the same by MPI_Isend and its kin where it would start
 * persistent requests: Open MPI's monitoring sees no MPI_Start (4.1.4), so it has to look at that.
 * `between` sends between two groups instead: monitoring counts what MPI_Intercomm_create itself
 * sends as the program's, and crashes on groups of unequal sizes. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { capacity = 1 << 17 };
static int plain;
static char outgoing[capacity], incoming[2][capacity];

/* A pair's message length in elements: different for each pair, way and direction. */
static int length_of(int from, int to, int way) {
  return 17 * from + 5 * to + 1 + 101 * way;
}

typedef int (*Sender)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int (*Starter)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

/* The ring: each rank sends to its right neighbour in `comm` by each way. */
static void ring(MPI_Comm comm) {
  int rank, size, way = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  const Sender blocking[] = {MPI_Send, MPI_Bsend, MPI_Ssend, MPI_Rsend};
  const Starter starting[] = {MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend};
  const Starter persistent[] = {MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init};
  MPI_Request in, out;
  for (int k = 0; k < 4; ++k, ++way) {
    MPI_Irecv(incoming[0], capacity, MPI_BYTE, left, way, comm, &in);
    MPI_Barrier(comm); /* ready sends need the receive in place */
    blocking[k](outgoing, length_of(rank, right, way), MPI_CHAR, right, way, comm);
    MPI_Wait(&in, MPI_STATUS_IGNORE);
  }
  for (int k = 0; k < 4; ++k, ++way) {
    MPI_Irecv(incoming[0], capacity, MPI_BYTE, left, way, comm, &in);
    MPI_Barrier(comm);
    starting[k](outgoing, length_of(rank, right, way), MPI_SHORT, right, way, comm, &out);
    MPI_Wait(&out, MPI_STATUS_IGNORE);
    MPI_Wait(&in, MPI_STATUS_IGNORE);
  }
  for (int k = 0; k < 4; ++k, ++way) {
    const int length = length_of(rank, right, way);
    if (!plain) persistent[k](outgoing, length, MPI_DOUBLE, right, way, comm, &out);
    MPI_Recv_init(incoming[0], capacity, MPI_BYTE, left, way, comm, &in);
    for (int round = 0; round <= k; ++round) {
      MPI_Start(&in);
      MPI_Barrier(comm);
      if (plain) {
        starting[k](outgoing, length, MPI_DOUBLE, right, way, comm, &out);
      } else if (round % 2) {
        MPI_Startall(1, &out);
      } else {
        MPI_Start(&out);
      }
      MPI_Wait(&out, MPI_STATUS_IGNORE);
      MPI_Wait(&in, MPI_STATUS_IGNORE);
    }
    if (!plain) MPI_Request_free(&out);
    MPI_Request_free(&in);
  }
  MPI_Sendrecv(outgoing, length_of(rank, right, way), MPI_INT, right, way, incoming[0], capacity,
               MPI_BYTE, left, way, comm, MPI_STATUS_IGNORE);
  ++way;
  MPI_Sendrecv_replace(incoming[1], 64, MPI_INT, right, way, left, way, comm, MPI_STATUS_IGNORE);
}

/* Things that a counter easily gets wrong. */
static void corners(MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  /* Nobody and nothing: to MPI_PROC_NULL, of no element, to oneself. */
  MPI_Send(outgoing, 5, MPI_INT, MPI_PROC_NULL, 0, comm);
  MPI_Sendrecv(outgoing, 0, MPI_INT, (rank + 1) % size, 1, incoming[0], 0, MPI_INT,
               (rank + size - 1) % size, 1, comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(outgoing, 3, MPI_INT, rank, 2, incoming[0], 3, MPI_INT, rank, 2, comm,
               MPI_STATUS_IGNORE);
  /* A type with holes: its size counts, not its extent; long enough for rendezvous. */
  MPI_Datatype column;
  MPI_Type_vector(3000, 2, 5, MPI_INT, &column);
  MPI_Type_commit(&column);
  const int last = size - 1;
  if (rank == 0 && last > 0) MPI_Send(outgoing, 1, column, last, 3, comm);
  if (rank == last && last > 0) {
    MPI_Recv(incoming[0], 1, column, 0, 3, comm, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&column);
  /* A receive's request recycled for a send and back must not be counted as one. */
  if (size > 1 && rank < 2) {
    MPI_Request request;
    for (int turn = 0; turn < 2; ++turn) {
      if (turn == rank && plain) {
        MPI_Send(outgoing, 11, MPI_INT, 1 - rank, 4, comm);
        continue;
      }
      if (turn == rank) {
        MPI_Send_init(outgoing, 11, MPI_INT, 1 - rank, 4, comm, &request);
      } else {
        MPI_Recv_init(incoming[0], 11, MPI_INT, 1 - rank, 4, comm, &request);
      }
      MPI_Start(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Request_free(&request);
    }
  }
}

/* One message of 777 + rank bytes from each rank to its opposite, where destinations are ranks of
 * the other group. */
static void between_groups(void) {
  int rank, size, place, others;
  MPI_Comm side, between;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int half = size / 2, upper = rank >= half;
  MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, upper ? 0 : half, 9, &between);
  MPI_Comm_rank(side, &place);
  MPI_Comm_remote_size(between, &others);
  if (place < others) {
    MPI_Sendrecv(outgoing, 777 + rank, MPI_CHAR, place, 5, incoming[0], capacity, MPI_CHAR, place,
                 5, between, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&between);
  MPI_Comm_free(&side);
}

/* All ways of sending on all kinds of communicators of one group. */
static void within_groups(void) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  enum { room = 1 << 20 };
  MPI_Buffer_attach(malloc(room), room);
  ring(MPI_COMM_WORLD);
  corners(MPI_COMM_WORLD);

  MPI_Comm copy, backwards, half, grid;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  ring(copy);
  MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &backwards);
  ring(backwards);
  corners(backwards);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? MPI_UNDEFINED : 1, -rank, &half);
  if (half != MPI_COMM_NULL) ring(half);
  const int dims = size, periodic = 1;
  MPI_Cart_create(backwards, 1, &dims, &periodic, 0, &grid);
  ring(grid);
  /* A communicator freed and another made, perhaps at the same address. */
  MPI_Comm_free(&copy);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, size - rank, &copy);
  ring(copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&grid);
  if (half != MPI_COMM_NULL) MPI_Comm_free(&half);
  MPI_Comm_free(&backwards);
  void* buffer;
  int bytes;
  MPI_Buffer_detach(&buffer, &bytes);
  free(buffer);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  plain = argc > 1 && strcmp(argv[1], "plain") == 0;
  if (argc > 1 && strcmp(argv[1], "between") == 0) {
    between_groups();
  } else {
    within_groups();
  }
  MPI_Finalize();
  return 0;
}
