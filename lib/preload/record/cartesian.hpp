// The grid of processes that the program asks MPI for.
#pragma once

#include <array>

#include "mpi/late_mpi.h"

namespace kith::record {

/// As MPI_Cart_create was called. Plain data, the same on all ranks.
struct CartesianShape {
  static constexpr int most_dimensions = 16;

  int dimensions = 0;
  std::array<int, most_dimensions> extents{};
  std::array<int, most_dimensions> periodic{};  ///< 0 or 1
};

/// The first Cartesian communicator that has as many members as the world.
struct CartesianMembership {
  CartesianShape shape;
  int rank = 0;  ///< of this process in it
};

/// Counts what making the communicator sends, and remembers the first of the world's size. Local.
void cartesian_made(MPI_Comm from, int dimensions, const int extents[], const int periodic[],
                    MPI_Comm made);

/// Null: this process has made none.
const CartesianMembership* first_cartesian();

}  // namespace kith::record
