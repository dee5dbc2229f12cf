/* A halo exchange on a ring and a sum in each step, then broadcasts. Rank 2 computes most, so its
   neighbours wait for it. tests/corpus/recorded/uneven-4.timeline is recorded of 4 ranks. */
#include <mpi.h>

enum { numbers = 2048 };

static volatile double result;

static void compute(double steps) {
  double x = 1;
  for (long i = 0; i < (long)steps; ++i) x = x * 1.0000001 + 1e-9;
  result = x;
}

static void exchange(int before, int next) {
  static double in[2][numbers], out[2][numbers];
  MPI_Request requests[4];
  MPI_Irecv(in[0], numbers, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, requests);
  MPI_Irecv(in[1], numbers, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, requests + 1);
  MPI_Isend(out[0], numbers, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, requests + 2);
  MPI_Isend(out[1], numbers, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, requests + 3);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Pcontrol(1);
  for (int step = 0; step < 40; ++step) {
    compute(2e6 * (1 + (rank == 2 ? 1.5 : 0) + (rank % 3 == 0 ? 0.3 : 0)));
    exchange((rank + ranks - 1) % ranks, (rank + 1) % ranks);
    double one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Pcontrol(2);
  for (int step = 0; step < 60; ++step) {
    static double field[4096];
    compute(8e5);
    MPI_Bcast(field, 4096, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
