/* Sweeps over a grid of 4 columns of ranks: from one corner to the opposite one, and back; then the
   largest value of all. */
#include <mpi.h>

enum { columns = 4, numbers = 512 };

static volatile double result;

static void compute(double steps) {
  double x = 1;
  for (long i = 0; i < (long)steps; ++i) x = x * 1.0000001 + 1e-9;
  result = x;
}

/* The rank at a place of the grid, or nobody. */
static int at(int column, int row, int ranks) {
  const int inside = column >= 0 && column < columns && row >= 0 && row * columns < ranks;
  return inside ? row * columns + column : MPI_PROC_NULL;
}

static void sweep(int rank, int ranks, int step) {
  static double edge[numbers];
  const int column = rank % columns, row = rank / columns;
  const int from[] = {at(column - step, row, ranks), at(column, row - step, ranks)};
  const int to[] = {at(column + step, row, ranks), at(column, row + step, ranks)};
  for (int i = 0; i < 2; ++i) {
    if (from[i] == MPI_PROC_NULL) continue;
    MPI_Recv(edge, numbers, MPI_DOUBLE, from[i], i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  compute(8e5);
  for (int i = 0; i < 2; ++i) {
    if (to[i] != MPI_PROC_NULL) MPI_Send(edge, numbers, MPI_DOUBLE, to[i], i, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < 50; ++step) {
    sweep(rank, ranks, 1);
    sweep(rank, ranks, -1);
    double mine = rank, largest;
    MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
