/* A check that ends the whole job with a line that says what did not hold. */
#ifndef KITH_TEST_CHECK_H
#define KITH_TEST_CHECK_H

#include <mpi.h>
#include <stdio.h>

#define CHECK(condition)                                                              \
  do {                                                                                \
    if (!(condition)) {                                                               \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);  \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                   \
    }                                                                                 \
  } while (0)

#endif
