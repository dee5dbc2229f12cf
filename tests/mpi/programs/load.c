/* Work and waiting in known shares, in phases of their own.
 *   waits    rank 0 computes, the others wait for its message
 *   shares   everybody computes half of the time and waits for a late partner in the other half
 *   chatter  many short messages, with a stretch of work after each burst of them
 * A second argument: instead of all that, work right behind MPI_Init and one exchange. */
#include <mpi.h>
#include <stdlib.h>
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

int main(int argc, char** argv) {
  const double unit = argc > 1 ? atof(argv[1]) : 0.5;
  int rank, size, byte = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int partner = rank ^ 1;
  if (argc > 2) {
    work(unit);
    MPI_Sendrecv_replace(&byte, 1, MPI_CHAR, partner, 1, partner, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
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
    MPI_Sendrecv_replace(&byte, 1, MPI_CHAR, partner, 1, partner, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
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
