// Lists of neighbours, moved to the processes that take over their vertices.
#pragma once

#include <optional>
#include <vector>

#include "mpi/late_mpi.h"
#include "order/topology/declared_graph.hpp"

namespace kith::runtime {

/// Lists in memory of ours.
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

}  // namespace kith::runtime
