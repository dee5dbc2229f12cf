/* Rank 0 reads a line of standard input, all take part in what it prints: the sum of all ranks, and
 * the line. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char text[256] = "";
  if (rank == 0 && fgets(text, sizeof text, stdin) == NULL) strcpy(text, "nothing\n");
  MPI_Bcast(text, sizeof text, MPI_CHAR, 0, MPI_COMM_WORLD);
  int sum = 0;
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d %s", sum, text);
  MPI_Finalize();
  return 0;
}
