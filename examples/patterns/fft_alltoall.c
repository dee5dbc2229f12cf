/* A 3D Fourier transform in pencils: each rank holds whole lines along one dimension, transforms
 * them, and turns the cube by an alltoall among its row or column of ranks to have whole lines
 * along the next.
 *
 * fft_alltoall [N ROUNDS]: a cube of N x N x N points, N a power of two that both dimensions of the
 * grid of ranks divide. */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#include "arguments.h"

typedef double complex Value;

static Value wave(double turns) {
  const double angle = 6.283185307179586 * turns;
  return cos(angle) + sin(angle) * (Value)I;
}

/* In place, n a power of two; sign -1 forward, +1 back (not scaled). */
static void transform(Value* line, int n, int sign) {
  for (int i = 1, j = 0; i < n; ++i) {
    int bit = n / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) {
      const Value kept = line[i];
      line[i] = line[j];
      line[j] = kept;
    }
  }
  for (int half = 1; half < n; half *= 2) {
    for (int start = 0; start < n; start += 2 * half) {
      for (int k = 0; k < half; ++k) {
        const Value odd = wave(sign * 0.5 * k / half) * line[start + half + k];
        line[start + half + k] = line[start + k] - odd;
        line[start + k] += odd;
      }
    }
  }
}

typedef struct {
  MPI_Comm row, column;
  int rows, columns; /* of the grid of ranks: sizes of `column` and `row` */
  int n;
  size_t points; /* on this rank */
  Value* packed;
} Pencils;

/* The cube as [planes][lines][n] (planes and lines `plane_step` and `line_step` apart) becomes
 * [planes][n / ranks][lines x ranks]: what was split among the ranks of `comm` is whole now, and
 * what was whole is split. */
static void turn(const Pencils* grid, MPI_Comm comm, Value* cube, int planes, size_t plane_step,
                 int lines, size_t line_step) {
  int ranks;
  MPI_Comm_size(comm, &ranks);
  const int part = grid->n / ranks, block = planes * lines * part;
  for (int d = 0, k = 0; d < ranks; ++d) {
    for (int p = 0; p < planes; ++p) {
      for (int l = 0; l < lines; ++l) {
        const Value* const from = cube + (size_t)p * plane_step + (size_t)l * line_step + d * part;
        for (int i = 0; i < part; ++i) grid->packed[k++] = from[i];
      }
    }
  }
  MPI_Alltoall(grid->packed, block, MPI_C_DOUBLE_COMPLEX, cube, block, MPI_C_DOUBLE_COMPLEX, comm);
  for (size_t i = 0; i < grid->points; ++i) grid->packed[i] = cube[i];
  for (int s = 0, k = 0; s < ranks; ++s) {
    for (int p = 0; p < planes; ++p) {
      for (int l = 0; l < lines; ++l) {
        for (int i = 0; i < part; ++i) {
          cube[(p * part + i) * lines * ranks + s * lines + l] = grid->packed[k++];
        }
      }
    }
  }
}

static void transform_lines(const Pencils* grid, Value* cube, int sign) {
  for (size_t i = 0; i < grid->points; i += (size_t)grid->n) transform(cube + i, grid->n, sign);
}

/* [z][y][x], whole in x, to [x][y][z], whole in z. */
static void forward(const Pencils* grid, Value* cube) {
  const size_t n = (size_t)grid->n;
  const int ny = grid->n / grid->columns, nz = grid->n / grid->rows;
  const size_t nx = n / (size_t)grid->columns;
  transform_lines(grid, cube, -1);
  turn(grid, grid->row, cube, nz, (size_t)ny * n, ny, n); /* [z][x][y] */
  transform_lines(grid, cube, -1);
  turn(grid, grid->column, cube, (int)nx, n, nz, nx * n); /* [x][y][z] */
  transform_lines(grid, cube, -1);
}

/* And back the way it came. */
static void backward(const Pencils* grid, Value* cube) {
  const size_t n = (size_t)grid->n;
  const int nx = grid->n / grid->columns, ny = grid->n / grid->rows, nz = ny;
  transform_lines(grid, cube, 1);
  turn(grid, grid->column, cube, nx, (size_t)ny * n, ny, n); /* [x][z][y] */
  transform_lines(grid, cube, 1);
  turn(grid, grid->row, cube, nz, n, nx, (size_t)nz * n); /* [z][y][x] */
  transform_lines(grid, cube, 1);
  for (size_t i = 0; i < grid->points; ++i) cube[i] /= (double)(n * n * n);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, dims[2] = {0, 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  Pencils grid = {.rows = dims[0], .columns = dims[1], .n = number_argument(argc, argv, 1, 32)};
  const int rounds = number_argument(argc, argv, 2, 2);
  if ((grid.n & (grid.n - 1)) != 0 || grid.n % dims[0] != 0 || grid.n % dims[1] != 0) {
    if (rank == 0) fprintf(stderr, "fft_alltoall: %d ranks do not divide %d\n", ranks, grid.n);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank / grid.columns, rank, &grid.row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % grid.columns, rank, &grid.column);
  grid.points = (size_t)grid.n * (size_t)grid.n * (size_t)grid.n / (size_t)ranks;
  grid.packed = malloc(grid.points * sizeof(Value));
  Value* cube = malloc(grid.points * sizeof(Value));
  for (size_t i = 0; i < grid.points; ++i) cube[i] = (double)((i * 7 + (size_t)rank * 3) % 11);

  double checksum = 0, worst = 0, mine = 0, error = 0;
  for (int round = 0; round < rounds; ++round) {
    forward(&grid, cube);
    mine = 0;
    for (size_t i = 0; i < grid.points; ++i) mine += cabs(cube[i]);
    MPI_Allreduce(&mine, &checksum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    backward(&grid, cube);
  }
  for (size_t i = 0; i < grid.points; ++i) {
    error = fmax(error, cabs(cube[i] - (double)((i * 7 + (size_t)rank * 3) % 11)));
  }
  MPI_Reduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("fft_alltoall: %s checksum %.17g\n", worst < 1e-9 ? "there and back" : "WRONG",
           checksum);
  }
  free(cube);
  free(grid.packed);
  MPI_Comm_free(&grid.row);
  MPI_Comm_free(&grid.column);
  MPI_Finalize();
  return 0;
}
