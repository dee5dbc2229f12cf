// Who talks to whom, as a program declares it to MPI's topology functions.
#pragma once

#include <optional>
#include <string>

#include "kith/job.hpp"
#include "mpi/late_mpi.h"

namespace kith::runtime {

/// One member's part of a declaration. Vertices are ranks of the communicator that is declared on.
struct DeclaredGraph {
  /// A grid, the same on all members; then there are no edges.
  std::optional<CartesianTopology> grid;
  /// What this member adds: a byte that is 1, then triplets of source, destination (32 bits each)
  /// and weight (64 bits).
  std::string edges;
};

// Each is nothing where the arguments are not what MPI asks for, which the library then says, or
// where there is no neighbour to be near to. Throw std::bad_alloc.

/// MPI_Cart_create on `processes` processes.
std::optional<DeclaredGraph> declared_grid(int processes, int dimensions, const int extents[],
                                           const int periodic[]);

/// MPI_Graph_create: `index[i]` ends the neighbours of vertex i in `neighbours`.
std::optional<DeclaredGraph> declared_adjacency(int processes, int vertices, const int index[],
                                                const int neighbours[]);

/// MPI_Dist_graph_create: sources[i] has the next degrees[i] of `destinations`.
std::optional<DeclaredGraph> declared_edges(int processes, int sources_count, const int sources[],
                                            const int degrees[], const int destinations[],
                                            const int weights[]);

/// kith_reorder_graph by vertex `rank`: `weights` are multiplied by `scale` and rounded, none that
/// is more than 0 to 0; null: each 1. The arguments are right.
DeclaredGraph declared_peers(int processes, int rank, int degree, const int peers[],
                             const double weights[], double scale);

/// The neighbours of one vertex in one direction, as MPI_Dist_graph_create_adjacent takes them.
struct Neighbours {
  int count = 0;
  const int* ranks = nullptr;
  const int* weights = nullptr;  ///< or MPI_UNWEIGHTED, or MPI_WEIGHTS_EMPTY
};

/// MPI_Dist_graph_create_adjacent by vertex `rank`. The edges are those that go out: each comes in
/// elsewhere.
std::optional<DeclaredGraph> declared_neighbours(int processes, int rank, const Neighbours& in,
                                                 const Neighbours& out);

}  // namespace kith::runtime
