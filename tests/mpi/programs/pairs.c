/* Ranks in pairs: each exchanges a megabyte with the rank whose number differs in the bits of STEP.
 *
 * pairs STEP [NAME]: the name makes no difference, but for "turned", with which STEP loses its bit of 2.
 * PAIRS_REST (environment) is for how many ms each rank sleeps then. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { bytes = 1 << 20 };

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int turned = argc > 2 && strcmp(argv[2], "turned") == 0;
  const int peer = argc > 1 ? rank ^ (turned ? atoi(argv[1]) & ~2 : atoi(argv[1])) : rank;
  CHECK(peer >= 0 && peer < size);
  char* const out = malloc(bytes);
  char* const in = malloc(bytes);
  for (int i = 0; i < bytes; ++i) out[i] = (char)(rank + i);
  MPI_Sendrecv(out, bytes, MPI_BYTE, peer, 0, in, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < bytes; ++i) CHECK(in[i] == (char)(peer + i));
  int sum = 0;
  const char* const rest = getenv("PAIRS_REST");
  if (rest != NULL) usleep(1000 * (unsigned)atoi(rest));
  MPI_Reduce(&peer, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("pairs: every rank heard its peer, sum %d\n", sum);
  free(in);
  free(out);
  MPI_Finalize();
  return 0;
}
