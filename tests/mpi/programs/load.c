/* Work and waiting in known shares, in phases of their own.
 *   waits    rank 0 computes, the others wait for its message
 *   shares   everybody computes half of the time and waits for a late partner in the other half
 *   chatter  many short messages, with a stretch of work after each burst of them
 * A second argument, instead of all that:
 *   first    work right behind MPI_Init, and one exchange
 *   null     work cut into short pieces by sends to no rank, and one exchange
 * A third argument: that many rounds of it. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Burns CPU time, whatever else runs on the machine. */
static void work(double seconds) {
  const double end = cpu_seconds() + seconds;
  while (cpu_seconds() < end) {
  }
}

static void exchange(int partner) {
  int byte = 0;
  MPI_Sendrecv_replace(&byte, 1, MPI_CHAR, partner, 1, partner, 1, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
}

/* Pieces so short that Kith leaves most of the calls between them untimed. */
static void work_in_pieces(double seconds) {
  int one = 1;
  const double end = cpu_seconds() + seconds;
  for (unsigned i = 0; i % 64 != 0 || cpu_seconds() < end; ++i) {
    for (volatile int j = 0; j < 300; ++j) {
    }
    MPI_Send(&one, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  const double unit = argc > 1 ? atof(argv[1]) : 0.5;
  int rank, size, byte = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int partner = rank ^ 1;
  if (argc > 2) {
    const int rounds = argc > 3 ? atoi(argv[3]) : 1;
    for (int round = 0; round < rounds; ++round) {
      if (strcmp(argv[2], "first") == 0) {
        work(unit / rounds);
      } else {
        work_in_pieces(unit / rounds);
      }
      exchange(partner);
    }
    return MPI_Finalize();
  }

  MPI_Pcontrol(1); /* waits */
  if (rank == 0) {
    work(unit);
    for (int to = 1; to < size; ++to) MPI_Send(&byte, 1, MPI_CHAR, to, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Pcontrol(2); /* shares */
  for (int step = 0; step < 10; ++step) {
    if (step % 2 == rank % 2) work(unit / 5);
    exchange(partner);
  }
  MPI_Pcontrol(3); /* chatter */
  for (int step = 0; step < 5; ++step) {
    for (int i = 0; i < 20000; ++i) {
      MPI_Send(&byte, 1, MPI_CHAR, rank, 2, MPI_COMM_WORLD);
      MPI_Recv(&byte, 1, MPI_CHAR, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    work(unit / 5);
  }
  MPI_Pcontrol(4);
  MPI_Finalize();
  return 0;
}
