// Who talks to whom, as a program declares it to MPI's topology functions; and lists of neighbours,
// moved to the processes that take over their vertices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kith/detail/job.hpp"
#include "mpi/late_mpi.h"

namespace kith::preload {

/// Who knows the declared graph.
enum class Declared {
  by_all,   ///< whole, the same on all members
  in_parts  ///< each member knows its own
};

/// A declaration as all members know it.
struct RequestSummary {
  std::uint64_t key = 0;    ///< of the members, their order, and the graph
  std::uint64_t bytes = 0;  ///< of all members' edges
  bool is_whole = true;     ///< every member has its part
};

/// One member's part of a declaration. Vertices are ranks of the communicator that is declared on.
struct DeclaredGraph {
  /// A grid, the same on all members; then there are no edges.
  std::optional<CartesianTopology> grid;
  /// What this member adds: a byte that is 1, then triplets of source, destination (32 bits each)
  /// and weight (64 bits): protocol::TrafficCell.
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

/// Lists of neighbours in memory of ours.
class NeighbourLists {
 public:
  /// Collective over `reordered`, which the program does not know yet: the process that was rank r
  /// and is new_ranks[r] there gives the lists of vertex r and gets those of vertex new_ranks[r].
  /// Nothing, on all members, where memory is short on one. Throws MpiFailure.
  static std::optional<NeighbourLists> exchanged(MPI_Comm reordered,
                                                 const std::vector<std::int32_t>& new_ranks,
                                                 const Neighbours& in, const Neighbours& out);

  /// Views into this object.
  Neighbours in() const { return view(in_); }
  Neighbours out() const { return view(out_); }

 private:
  struct List {
    bool is_weighted = false;
    int count = 0;
    std::vector<int> numbers;  ///< the ranks, then the weights if there are any; never empty
  };
  static Neighbours view(const List& list);

  List in_;
  List out_;
};

}  // namespace kith::preload
