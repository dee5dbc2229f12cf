/* Makes grids of its ranks as the argument says. */
#include <mpi.h>
#include <string.h>

static void make_grid(MPI_Comm from, int rows, int columns) {
  int const dims[] = {rows, columns};
  int const periods[] = {1, 0};
  MPI_Comm grid;
  MPI_Cart_create(from, 2, dims, periods, 0, &grid);
  if (grid != MPI_COMM_NULL) MPI_Comm_free(&grid);
}

int main(int argc, char **argv) {
  char const *const way = argc > 1 ? argv[1] : "";
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm other;
  MPI_Comm_split(MPI_COMM_WORLD, 0, (rank + 2) % size, &other);
  if (strcmp(way, "world") == 0) make_grid(MPI_COMM_WORLD, 2, size / 2);
  if (strcmp(way, "shifted") == 0) make_grid(other, size / 2, 2);
  if (strcmp(way, "part") == 0) make_grid(MPI_COMM_WORLD, 1, size - 1);
  if (strcmp(way, "several") == 0) {
    make_grid(MPI_COMM_WORLD, 1, size - 1);
    make_grid(MPI_COMM_WORLD, size, 1);
    make_grid(other, 2, size / 2);
  }
  if (strcmp(way, "apart") == 0) { /* each half for itself: nobody's grid is everybody's */
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    make_grid(half, 1, size / 2);
    MPI_Comm_free(&half);
  }
  MPI_Comm_free(&other);
  MPI_Finalize();
  return 0;
}
