/* MPI_Comm_compare of the world with itself, its copies, its parts, in both directions. */
#include "conformance.h"

static const char* relation(MPI_Comm a, MPI_Comm b) {
  int result = -1;
  MPI_Comm_compare(a, b, &result);
  if (result == MPI_IDENT) return "identical";
  if (result == MPI_CONGRUENT) return "congruent";
  return result == MPI_SIMILAR ? "similar" : "unequal";
}

void comparison(void) {
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm copy, backwards, part, grid, shared;
  int dims[1] = {size}, periods[1] = {1};
  tell("world: %s, self: %s, both: %s %s", relation(world, MPI_COMM_WORLD),
       relation(MPI_COMM_SELF, MPI_COMM_SELF), relation(world, MPI_COMM_SELF),
       relation(MPI_COMM_SELF, world));
  MPI_Comm_dup(world, &copy);
  MPI_Comm_split(world, 0, -rank, &backwards);
  MPI_Comm_split(world, rank % 2, rank, &part);
  MPI_Cart_create(world, 1, dims, periods, 0, &grid);
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
  tell("copy: %s %s, backwards: %s %s, part: %s %s", relation(world, copy), relation(copy, world),
       relation(world, backwards), relation(backwards, world), relation(world, part),
       relation(part, world));
  tell("grid in this order: %s, host: %s, copy of itself: %s", relation(world, grid),
       relation(world, shared), relation(copy, copy));
  MPI_Comm_free(&shared);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&part);
  MPI_Comm_free(&backwards);
  MPI_Comm_free(&copy);
}
