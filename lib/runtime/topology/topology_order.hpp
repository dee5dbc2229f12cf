// MPI's own reordering: processes placed by the graph that the program declares.
#pragma once

#include <optional>

#include "runtime/order.hpp"
#include "runtime/topology/declared_graph.hpp"

namespace kith::runtime {

/// Whether calls with reorder=1 on `comm` are ours: agreed by all ranks at MPI_Init, and so only for
/// communicators within that world. Where they cannot be, the first to ask gets a line that says why.
/// The same on all members.
bool reorders_topologies(MPI_Comm comm);

/// Who knows the declared graph.
enum class Declared {
  by_all,   ///< whole, the same on all members
  in_parts  ///< each member knows its own
};

/// Whom the program lets choose its ranks in a new communicator.
class TopologyOrder {
 public:
  /// Collective over `comm`. `graph`: of a graph in parts this member's;
  /// nothing where that is not valid, or memory was short. `call` is what the program called, for
  /// messages. Never throws: whatever goes wrong leaves the order alone.
  TopologyOrder(MPI_Comm comm, Declared declared, std::optional<DeclaredGraph> graph,
                const char* call) noexcept;
  /// Collective.
  ~TopologyOrder();
  TopologyOrder(const TopologyOrder&) = delete;
  TopologyOrder& operator=(const TopologyOrder&) = delete;

  /// Its rank v is to be vertex v. The caller's own where nothing is gained.
  MPI_Comm communicator() const { return made_ != MPI_COMM_NULL ? made_ : comm_; }
  bool is_reordered() const { return made_ != MPI_COMM_NULL; }
  /// By rank in the caller's communicator; valid where is_reordered().
  const std::vector<std::int32_t>& new_ranks() const { return order_.new_rank; }
  /// Collective: the caller's own communicator after all.
  void give_up();
  /// kith_decision() knows `topology` from now on. Local.
  void tell(MPI_Comm topology) noexcept;

 private:
  void decide(Declared declared, std::optional<DeclaredGraph> graph);
  void tell_user(const char* call) const;
  void free();

  MPI_Comm comm_;
  MPI_Comm made_;
  Order order_;
  bool is_root_ = false;
};

}  // namespace kith::runtime
