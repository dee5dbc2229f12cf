/* Each collective once on the world and on a communicator with its ranks reversed, and checks that
 * results are right; sizes are chosen so that every branch of the decomposition is taken. */
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

static void all_on(MPI_Comm comm, int n) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int* a = malloc(sizeof(int) * (size_t)(n * size));
  int* b = malloc(sizeof(int) * (size_t)(n * size));
  int* counts = malloc(sizeof(int) * (size_t)size);
  int* displacements = malloc(sizeof(int) * (size_t)size);
  for (int i = 0; i < size; ++i) {
    counts[i] = n;
    displacements[i] = i * n;
  }
  for (int i = 0; i < n * size; ++i) a[i] = rank;
  MPI_Barrier(comm);
  for (int root = 0; root < size; ++root) {
    MPI_Bcast(b, n, MPI_INT, root, comm);
    MPI_Reduce(a, b, n, MPI_INT, MPI_SUM, root, comm);
    if (rank == root) CHECK(b[n - 1] == size * (size - 1) / 2);
    MPI_Gather(a, n, MPI_INT, b, n, MPI_INT, root, comm);
    if (rank == root) CHECK(b[n * (size - 1)] == size - 1);
    MPI_Gatherv(rank == root ? MPI_IN_PLACE : a, n, MPI_INT, b, counts, displacements, MPI_INT,
                root, comm);
    MPI_Scatter(a, n, MPI_INT, b, n, MPI_INT, root, comm);
    CHECK(b[0] == root);
    MPI_Scatterv(a, counts, displacements, MPI_INT, b, n, MPI_INT, root, comm);
  }
  MPI_Allreduce(MPI_IN_PLACE, a, n, MPI_INT, MPI_MAX, comm);
  CHECK(a[0] == size - 1);
  for (int i = 0; i < n * size; ++i) a[i] = rank;
  MPI_Allgather(a, n, MPI_INT, b, n, MPI_INT, comm);
  CHECK(b[n * (size - 1)] == size - 1);
  MPI_Allgatherv(a, n, MPI_INT, b, counts, displacements, MPI_INT, comm);
  MPI_Alltoall(a, n, MPI_INT, b, n, MPI_INT, comm);
  CHECK(b[n * (size - 1)] == size - 1);
  MPI_Alltoallv(a, counts, displacements, MPI_INT, b, counts, displacements, MPI_INT, comm);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, n, MPI_INT, comm);
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, b, counts, displacements, MPI_INT,
                comm);
  MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter_block(a, b, n, MPI_INT, MPI_SUM, comm);
  CHECK(b[0] == size * (size - 1) / 2);
  MPI_Scan(a, b, n, MPI_INT, MPI_SUM, comm);
  CHECK(b[0] == rank * (rank + 1) / 2);
  MPI_Exscan(a, b, n, MPI_INT, MPI_SUM, comm);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, n, MPI_INT, comm);
  free(displacements);
  free(counts);
  free(b);
  free(a);
}

static void alltoallw(MPI_Comm comm) {
  int size, rank;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  const size_t n = (size_t)size;
  int *counts = malloc(sizeof(int) * n), *displacements = malloc(sizeof(int) * n);
  MPI_Datatype* types = malloc(sizeof(MPI_Datatype) * n);
  int *out = malloc(sizeof(int) * n), *in = malloc(sizeof(int) * n);
  for (int i = 0; i < size; ++i) {
    counts[i] = 1;
    displacements[i] = i * (int)sizeof(int);
    types[i] = MPI_INT;
    out[i] = 100 * rank + i;
  }
  MPI_Alltoallw(out, counts, displacements, types, in, counts, displacements, types, comm);
  CHECK(in[size - 1] == 100 * (size - 1) + rank);
  free(in);
  free(out);
  free(types);
  free(displacements);
  free(counts);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
  const int lengths[] = {1, 100, 5000};
  for (int i = 0; i < 3; ++i) {
    all_on(MPI_COMM_WORLD, lengths[i]);
    all_on(reversed, lengths[i]);
  }
  alltoallw(reversed);
  MPI_Comm_free(&reversed);
  if (rank == 0) printf("all collectives are right\n");
  MPI_Finalize();
  return 0;
}
