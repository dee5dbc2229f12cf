/* Datatypes and operations know no communicator; messages of them go to the right ranks. */
#include "conformance.h"

static void moved(const char* what, MPI_Datatype type, int count) {
  int out[64], in[64], bytes, sum = 0;
  MPI_Aint lower, extent, true_lower, true_extent;
  for (int i = 0; i < 64; ++i) {
    out[i] = 100 * rank + i;
    in[i] = 0;
  }
  MPI_Type_commit(&type);
  MPI_Sendrecv(out, count, type, right(1), 1, in, count, type, left(1), 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < 64; ++i) sum += in[i];
  MPI_Type_size(type, &bytes);
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  tell("%s: %d bytes in %d from %d, sum %d", what, bytes, (int)extent, (int)true_lower, sum);
  MPI_Type_free(&type);
}

void datatypes(void) {
  const int lengths[2] = {2, 1}, places[2] = {1, 6}, whole[2] = {4, 4}, part[2] = {2, 2};
  const int from[2] = {1, 1};
  const MPI_Aint bytes[2] = {4, 24};
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  MPI_Datatype type;
  MPI_Type_contiguous(3, MPI_INT, &type);
  moved("contiguous", type, 2);
  MPI_Type_vector(3, 2, 4, MPI_INT, &type);
  moved("vector", type, 1);
  MPI_Type_create_hvector(3, 1, 12, MPI_INT, &type);
  moved("hvector", type, 1);
  MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
  moved("indexed", type, 2);
  MPI_Type_create_hindexed(2, lengths, bytes, MPI_INT, &type);
  moved("hindexed", type, 1);
  MPI_Type_create_indexed_block(2, 2, places, MPI_INT, &type);
  moved("indexed_block", type, 1);
  MPI_Type_create_struct(2, lengths, bytes, types, &type);
  moved("struct", type, 1);
  MPI_Type_create_subarray(2, whole, part, from, MPI_ORDER_C, MPI_INT, &type);
  moved("subarray", type, 1);
  const int grid[1] = {size}, distribution[1] = {MPI_DISTRIBUTE_BLOCK};
  const int usual[1] = {MPI_DISTRIBUTE_DFLT_DARG}, extent[1] = {2 * size};
  MPI_Type_create_darray(size, rank, 1, extent, distribution, usual, grid, MPI_ORDER_C, MPI_INT,
                         &type);
  int mine;
  MPI_Type_size(type, &mine);
  tell("darray: %d bytes", mine);
  MPI_Type_free(&type);
  int commutes;
  MPI_Op_commutative(MPI_SUM, &commutes);
  tell("sum commutes: %d", commutes);
}
